import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Answerers } from '../kernel/reader.ts'
import { approverRefusal } from './approver.ts'
import type {
  ControlCommand,
  DecideControlChange,
  DropControlChangesOf,
  ListControlChanges,
  SetControls,
} from './commands.ts'
import { type Controls, compareControls, controlsOf, type PendingControls, pickControls } from './controls.ts'

/** The approval policy and the limits, and the changes of both (dashboard, section 2.4). */
export const controlDeciders: Deciders<ControlCommand> = {
  SetControls: (draft, command) => setControls(draft, command),
  DecideControlChange: (draft, command) => decideChange(draft, command),
  DropControlChangesOf: (draft, command) => dropChangesOf(draft, command),
  ApplyControlChange: (draft, { changeId }) => {
    const { after } = draft.find('controlChange', changeId)!
    draft.add({ type: 'ChangeTookEffect', ...factOf(draft, 'controlChange', changeId) })
    change(draft, after, null)
    return null
  },
}

/** All changes of an account. */
export const controlsAnswers: Answerers<ListControlChanges> = {
  ListControlChanges: function* (query, { list, result }) {
    return result(yield* list('controlChange', query, () => true, null))
  },
}

const waitMs = 24 * 3_600_000

const setControls: Decider<SetControls> = (draft, { wanted, idOfChange: id, hasApprover, by }) => {
  const account = draft.account()
  const present = controlsOf(account)
  const { stricter, looser } = compareControls(present, wanted)
  const { pending } = account.controls
  const isSuperseded = pending !== null && Object.keys(stricter).some((field) => field in pending.changes)
  const left = isSuperseded ? null : pending
  if (isEmpty(looser)) {
    if (isEmpty(stricter)) return null
    if (isSuperseded) supersede(draft, pending)
    change(draft, stricter, left)
    return null
  }
  if (left !== null) return { reason: 'CHANGE_PENDING', changeId: left.changeId }
  if (isSuperseded) supersede(draft, pending)
  const effectiveAtMs = hasApprover ? null : draft.context.nowMs + waitMs
  const before = pickControls(present, Object.keys(looser) as (keyof Controls)[])
  draft.add({
    type: 'ChangeRequested',
    ...factOf(draft, 'controlChange', id),
    request: {
      accountId: account.id,
      requestedBy: by.id,
      before,
      after: looser,
      askedAtMs: draft.context.atMs,
    },
    effectiveAtMs,
  })
  change(draft, stricter, { changeId: id, changes: looser, effectiveAtMs })
  return null
}

const decideChange: Decider<DecideControlChange> = (draft, { changeId, isApproved, standing, by }) => {
  const found = draft.find('controlChange', changeId)
  if (found === undefined) return { reason: 'NOT_FOUND', resource: 'change' }
  const { status, requestedBy, after, askedAtMs, createdAtMs } = found
  const allowedStatuses = isApproved ? approvable : rejectable
  if (!allowedStatuses.includes(status))
    return { reason: 'INVALID_STATE', currentStatus: status, allowedStatuses }
  const fact = factOf(draft, 'controlChange', changeId)
  if (!isApproved) {
    draft.add({ type: 'ChangeRejected', ...fact, by: by.id })
    change(draft, {}, null)
    return null
  }
  if (requestedBy === by.id) return { reason: 'OWN_REQUEST' }
  const refusal = approverRefusal(standing, askedAtMs ?? createdAtMs)
  if (refusal !== null) return refusal
  const effectiveAtMs = draft.context.nowMs + waitMs
  draft.add({ type: 'ChangeApproved', ...fact, by: by.id, effectiveAtMs })
  change(draft, {}, { changeId, changes: after, effectiveAtMs })
  return null
}

/** A change that a second person approved stays; one that only this person wants ends. */
const dropChangesOf: Decider<DropControlChangesOf> = (draft, { personId }) => {
  const { pending } = draft.account().controls
  const found = pending && draft.find('controlChange', pending.changeId)
  if (!found || found.requestedBy !== personId || found.decidedBy !== null) return null
  draft.add({ type: 'ChangeRejected', ...factOf(draft, 'controlChange', found.id), by: null })
  change(draft, {}, null)
  return null
}

const approvable: readonly string[] = ['PENDING_APPROVAL']
const rejectable: readonly string[] = ['PENDING_APPROVAL', 'SCHEDULED']

const supersede = (draft: Draft, { changeId }: PendingControls): void =>
  draft.add({ type: 'ChangeSuperseded', ...factOf(draft, 'controlChange', changeId) })

const change = (draft: Draft, changes: Partial<Controls>, pending: PendingControls | null): void =>
  draft.add({ type: 'ControlsChanged', ...factOf(draft, 'account', draft.account().id), changes, pending })

const isEmpty = (controls: Partial<Controls>): boolean => Object.keys(controls).length === 0
