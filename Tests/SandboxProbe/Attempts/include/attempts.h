#pragma once

/// Sets the limits that a process in the sandbox may not change, before it enters the sandbox.
void prepare(void);
/// Starts a thousand threads, and prints whether it can. The threads keep running.
void try_many_threads(void);
/// Tries all that a process in the sandbox may not do, and prints a line for each: its name, and `failed` or `SUCCEEDED`.
void try_forbidden(void);
/// Becomes another program, for which and for whose children the kernel seems to have no Landlock, or no seccomp.
/// Returns only where that fails.
void run_without(int landlock, int seccomp, char *const *arguments);
/// Does what it may do, and prints the same.
void try_allowed(void);
