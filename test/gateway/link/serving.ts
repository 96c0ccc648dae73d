import { passOn, type Waiter } from '../../../engine/kernel/handler.ts'
import type { Kind, Message, Serve } from '../../../gateway/link/link.ts'

/** What a test serves calls with. */
export type Served = (kind: Kind, message: Message) => Promise<unknown>

/** Serves calls with a function that promises. */
export const serving =
  (serve: Served): Serve =>
  (kind: Kind, message: Message, to: Waiter<unknown>) =>
    passOn(serve(kind, message), to)
