// The host's; nothing of it is for kernels.
#pragma once
