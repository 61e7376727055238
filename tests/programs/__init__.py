"""Small programs in the style of published ones, each with its host code, one for each shape of such programs."""
