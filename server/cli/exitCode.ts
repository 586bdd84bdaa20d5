/**
 * 0: nothing found. 1: findings. 2: bad usage, or input that could not be read; what could be was still reported. 130: stopped
 * by Ctrl+C.
 */
export type ExitCode = 0 | 1 | 2 | 130;
