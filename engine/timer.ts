import type { Command } from './commands.ts'
import type { DeliveryId } from './ids.ts'

/** Due work. On the environment clock it is a command; on the real clock it is a webhook attempt, made outside. */
export type Timer =
  | { readonly clock: 'environment'; readonly dueAtMs: number; readonly command: Command }
  | { readonly clock: 'real'; readonly dueAtMs: number; readonly attempt: DeliveryId }
