import type { ActorState, Rejection } from './registry.ts'
import type { Step } from './step.ts'

export type Reply =
  | {
      readonly accepted: true
      readonly replayed: boolean
      readonly state: ActorState
      /** What it did, fact by fact; empty where it was done before. */
      readonly steps: readonly Step[]
      /** The refund, chargeback or MED of the state that the command was about. */
      readonly partId: string | null
      readonly nowMs: number
      readonly realMs: number
    }
  | { readonly accepted: false; readonly rejection: Rejection }
