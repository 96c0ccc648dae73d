import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { AccountId, ChangeId } from '../shared/ids.ts'
import { byClock } from '../shared/initiator.ts'
import type { Controls } from './controls.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly controlChange: ControlChange
  }
  interface ActorFacts {
    readonly controlChange: ControlChangeFact
  }
}

export const controlChangeStatuses = [
  'PENDING_APPROVAL',
  'SCHEDULED',
  'EFFECTIVE',
  'REJECTED',
  'SUPERSEDED',
] as const

/** A request for a looser approval policy or limit, which takes effect later. */
export type ControlChange = Requested & {
  readonly id: ChangeId
  readonly status: (typeof controlChangeStatuses)[number]
  readonly decidedBy: string | null
  readonly decidedAtMs: number | null
  readonly effectiveAtMs: number | null
  readonly createdAtMs: number
}

type Requested = {
  readonly accountId: AccountId
  readonly requestedBy: string | null
  readonly before: Partial<Controls>
  readonly after: Partial<Controls>
  /** Real time, because roles count by it; null in changes stored before roles had a time. */
  readonly askedAtMs: number | null
}

export type ControlChangeFact =
  /** The time is null if another person has to approve it. */
  | (Fact<'ChangeRequested'> & { readonly request: Requested; readonly effectiveAtMs: number | null })
  | (Fact<'ChangeApproved'> & { readonly by: string | null; readonly effectiveAtMs: number })
  | (Fact<'ChangeRejected'> & { readonly by: string | null })
  /** A stricter value was set meanwhile. */
  | Fact<'ChangeSuperseded'>
  | Fact<'ChangeTookEffect'>

type Fact<Type extends string> = ActorFact<'controlChange', Type>

const evolveChange = (state: ControlChange | undefined, event: ControlChangeFact): ControlChange => {
  const { id, atMs } = event
  if (event.type === 'ChangeRequested') {
    assert(state === undefined, 'a change is requested once')
    const { request, effectiveAtMs } = event
    const status = effectiveAtMs === null ? 'PENDING_APPROVAL' : 'SCHEDULED'
    return { id, ...request, status, decidedBy: null, decidedAtMs: null, effectiveAtMs, createdAtMs: atMs }
  }
  assert(state !== undefined, `${event.type} follows ChangeRequested`)
  switch (event.type) {
    case 'ChangeApproved': {
      const { by, effectiveAtMs } = event
      return { ...state, status: 'SCHEDULED', decidedBy: by, decidedAtMs: atMs, effectiveAtMs }
    }
    case 'ChangeRejected':
      return { ...state, status: 'REJECTED', decidedBy: event.by, decidedAtMs: atMs, effectiveAtMs: null }
    case 'ChangeSuperseded':
      return { ...state, status: 'SUPERSEDED', effectiveAtMs: null }
    case 'ChangeTookEffect':
      return { ...state, status: 'EFFECTIVE' }
    default:
      return unreachable(event)
  }
}

export const controlChangeKind: ActorDefinition<ControlChange, ControlChangeFact> = {
  prefix: 'chg',
  namedBy: 'changeId',
  doesDueWorkFirst: true,
  evolve: evolveChange,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status }) => status,
  auditedFields: ({ status, after }) => ({ status, after }),
  timer: ({ status, effectiveAtMs, accountId, id: changeId }) =>
    status === 'SCHEDULED'
      ? {
          dueAtMs: effectiveAtMs!,
          command: { type: 'ApplyControlChange', accountId, by: byClock, changeId },
        }
      : null,
}
