// What kernels use of it is there without any include.
#pragma once
