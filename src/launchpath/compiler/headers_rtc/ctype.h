// C's functions on characters are there without any include.
#pragma once
