/**
 * What only the Sandbox does: scenarios and trigger documents that decide outcomes, timers that play them, and
 * seeded transactions for lists and exports.
 */
import './commands.ts'
import { sandboxDeciders } from './seed.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const sandboxModule = {
  deciders: sandboxDeciders,
}
