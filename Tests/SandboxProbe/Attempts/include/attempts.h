#pragma once

/// Tries all that a process in the sandbox may not do, and prints a line for each: its name, and `failed` or `SUCCEEDED`.
void try_forbidden(void);
/// Does what it may do, and prints the same.
void try_allowed(void);
