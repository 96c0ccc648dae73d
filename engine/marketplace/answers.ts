import type { Draft } from '../kernel/draft.ts'
import type { Listed } from '../kernel/query.ts'
import type { Answerers, QueryResult, Reader } from '../kernel/reader.ts'
import type { Recipient } from '../recipients/recipient.ts'
import { assert } from '../shared/assert.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { ListRecipients, ListSplitTransfers, SplitQuery } from './queries.ts'
import { simulateSplit } from './simulate.ts'
import type { SplitTransfer } from './split-transfer.ts'

/** Answers about recipients, split rules and transfers. */
export const splitAnswers: Answerers<SplitQuery> = {
  FindRecipient: ({ recipientId }, { find }) => thereIn(find('recipient', recipientId)),
  ListRecipients: function* (query, reader) {
    const { list, result } = reader
    if (query.ids.length > 0) return result(recipientsOf(query, reader))
    return result(yield* list('recipient', query, activeFits(query), recipientMatches(query)))
  },
  FindSplitRule: ({ ruleId }, { find }) => thereIn(find('splitRule', ruleId)),
  ListSplitRules: function* (query, { list, result }) {
    return result(yield* list('splitRule', query, activeFits(query), null))
  },
  SimulateSplit: (query, { account, nowMs, find, result }) => {
    assert(account !== undefined, 'a key exists only for an open account')
    const findOwn: Draft['find'] = (kind, id) => find(kind, id).value ?? undefined
    return result(simulateSplit(query, { find: findOwn }, account, nowMs))
  },
  ListSplitTransfers: function* (query, { list, listByKey, result }) {
    return result(
      query.transactionId === null
        ? yield* list('splitTransfer', query, transferFits(query), null)
        : listByKey('splitTransfer', query.transactionId, query, isWantedTransfer(query)),
    )
  },
}

/** Recipients by their ids, newest first: few, so each is looked up. */
const recipientsOf = (query: ListRecipients, { find, spanOf, nowMs }: Reader): Listed<Recipient> => {
  const { asOf, fromMs, toMs } = spanOf(query)
  const matches = recipientMatches(query)
  const rows = [...new Set(query.ids)]
    .flatMap((id) => find('recipient', id).value ?? [])
    .filter((recipient) => {
      const { isRemoved, isActive, createdAtMs } = recipient
      if (isRemoved || (query.active !== null && query.active !== isActive)) return false
      if ((fromMs !== null && createdAtMs < fromMs) || (toMs !== null && createdAtMs >= toMs)) return false
      return matches === null || matches(recipient)
    })
    .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
  const first = (query.page - 1) * query.pageSize
  return { rows: rows.slice(first, first + query.pageSize), total: rows.length, asOf, nowMs }
}

const thereIn = <State extends { readonly isRemoved: boolean }>(
  result: QueryResult<State | null>,
): QueryResult<State | null> => (result.value?.isRemoved ? { ...result, value: null } : result)

const activeFits =
  ({ active }: { readonly active: boolean | null }) =>
  (label: string): boolean =>
    label !== 'REMOVED' && (active === null || active === (label === 'ACTIVE'))

const transferFits = ({ recipientId, statuses }: ListSplitTransfers) => {
  const wanted = new Set<string>(statuses)
  return (label: string): boolean => {
    const [status, recipient] = label.split(' ')
    return (wanted.size === 0 || wanted.has(status!)) && (recipientId === null || recipientId === recipient)
  }
}

const isWantedTransfer = (query: ListSplitTransfers) => {
  const fits = transferFits(query)
  return ({ status, recipientId }: SplitTransfer): boolean => fits(`${status} ${recipientId}`)
}

const recipientMatches = ({
  document,
  search,
}: ListRecipients): ((recipient: Recipient) => boolean) | null => {
  if (document === null && search === null) return null
  return (recipient) =>
    (document === null || recipient.document === document) &&
    (search === null ||
      recipient.id === search ||
      recipient.document === search ||
      foldCase(recipient.name).includes(foldCase(search)))
}
