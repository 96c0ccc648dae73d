import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { AssignSuspense } from './commands.ts'
import type { Suspense } from './suspense.ts'

/** Money in suspense about which people can decide; or why they cannot. */
export const openSuspense = (
  draft: Draft,
  { suspenseId }: Pick<AssignSuspense, 'suspenseId'>,
): Suspense | Rejection => {
  const item = draft.find('suspense', suspenseId)
  if (item === undefined) return { reason: 'NOT_FOUND', resource: 'suspense' }
  if (item.status !== 'OPEN')
    return { reason: 'INVALID_STATE', currentStatus: item.status, allowedStatuses: ['OPEN'] }
  return item
}
