"""Launches of other libraries' kernels, made by launchpath in place of the libraries' own: what `launchpath.fast` installs."""
