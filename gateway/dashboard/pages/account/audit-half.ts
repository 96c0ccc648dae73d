import type { Schemas } from '../../core/api.ts'

type Entry = Pick<Schemas['AuditEntry'], 'action' | 'result' | 'changes'>

/**
 * Whether an entry is of the first of two people, so that the deed itself is not done yet. One name in the log stands for both: what the entry has
 * changed says which one it is.
 */
export const isFirstHalf = ({ action, result, changes }: Entry): boolean => {
  const has = (field: string): boolean =>
    changes.some(({ field: name, after }) => name === field && after !== null)
  return result === 'DONE' && (firstHalves[action]?.(has, changes) ?? false)
}

type IsFirst = (has: (field: string) => boolean, changes: Entry['changes']) => boolean

const waitsForApproval: IsFirst = (_, changes) =>
  changes.some(({ field, after }) => field === 'status' && after === 'PENDING_APPROVAL')
const endsLater: IsFirst = (has) => !has('status')

const firstHalves: Readonly<Record<string, IsFirst>> = {
  'connections activate': (has) => has('requestedStatus'),
  'team change': (has) => has('requestedRoles'),
  changeBeneficiary: (has) => has('trustAskedBy'),
  setApprovalPolicy: waitsForApproval,
  setLimits: waitsForApproval,
  declareTransfer: endsLater,
  declareSplitTransfer: endsLater,
  writeOffSuspense: endsLater,
}
