import type { Command } from './registry.ts'

/** Due work on the environment clock: a command like any other. */
export type Timer = { readonly dueAtMs: number; readonly command: Command }
