"""SPIR-V: reading a module, changing it, and writing it back (Khronos, SPIR-V Specification 1.6)."""
