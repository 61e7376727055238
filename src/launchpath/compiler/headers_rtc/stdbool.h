// C's bool.
#pragma once
