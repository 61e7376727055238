"""Launches of other libraries' kernels, made by launchpath in place of their own: what `launchpath.fast` installs."""
