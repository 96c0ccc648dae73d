import type { Draft } from '../kernel/draft.ts'
import { type Engine, kindIn } from '../kernel/engine-definition.ts'
import type { ActorState, Command, ListedKind } from '../kernel/registry.ts'
import type { Account } from '../ledger/account.ts'
import { type AuditDraft, type AuditedFields, auditChanges } from '../shared/audit.ts'
import { companyIdOf } from '../shared/ids.ts'

/** Reads the audited fields of actors and of the account. */
export type AuditedActors = {
  readonly kinds: Engine['kinds']
  readonly accountFields: (account: Account) => AuditedFields
}

/** The object of a command, and the audited fields that the command changed in it and in the account. */
export const effectOnObject = (
  draft: Draft,
  command: Command,
  { kinds, accountFields }: AuditedActors,
): Pick<AuditDraft, 'object' | 'changes'> => {
  const { id: accountId } = draft.account()
  const ofAccount = auditChanges(
    accountFields(draft.before('account', accountId)!),
    accountFields(draft.account()),
  )
  const subject = subjectOf(draft, command, kinds)
  if (subject === null) return { object: { type: 'company', id: companyIdOf(accountId) }, changes: ofAccount }
  const [kind, id] = subject
  const fieldsOf = kindIn({ kinds }, kind).auditedFields ?? noFields
  const before = draft.before(kind, id)
  const ofSubject = auditChanges(
    before === undefined ? {} : fieldsOf(before),
    fieldsOf(draft.find(kind, id)!),
  )
  return {
    object: 'reversalId' in command ? reversal(command.reversalId) : { type: typeOf(kind), id },
    changes: [...ofSubject, ...ofAccount],
  }
}

/** The actor that the command names, if it changed it, or else the first that it changed. */
const subjectOf = (
  { steps, transactionOfReversal }: Draft,
  command: Command,
  kinds: AuditedActors['kinds'],
): readonly [ListedKind, string] | null => {
  if ('reversalId' in command) return ['transaction', transactionOfReversal(command.reversalId)!.id]
  const changed = steps.map(({ event }) => event).filter(({ actor }) => actor !== 'account')
  const named = Object.values(kinds).flatMap(({ namedBy }) =>
    namedBy === undefined ? [] : [(command as unknown as Readonly<Record<string, unknown>>)[namedBy]],
  )
  const subject =
    named.map((id) => changed.find((event) => event.id === id)).find((event) => event) ?? changed[0]
  return subject === undefined ? null : [subject.actor as ListedKind, subject.id]
}

const reversal = (id: string) => ({ type: reversalTypes[id.slice(0, 3)]!, id })

const reversalTypes: Readonly<Record<string, string>> = { rfd: 'refund', cbk: 'chargeback', med: 'med' }

/** The name of a kind in the log. Entries are sealed, so names stay as they were from the start. */
const typeOf = (kind: ListedKind): string =>
  namedOtherwise[kind] ?? kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const namedOtherwise: Readonly<Partial<Record<ListedKind, string>>> = {
  delivery: 'webhook_delivery',
  transfer: 'outgoing_transfer',
  withdrawal: 'crypto_withdrawal',
}

const noFields = (_: ActorState): AuditedFields => ({})
