import type { Key } from '../../engine/companies/api-key.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import { noticeKinds, type PeopleNotice } from '../../engine/notices/notice.ts'
import type { UnmailedNotices } from '../../engine/notices/queries.ts'
import { permissionsOf } from '../../engine/people/permission.ts'
import type { Person } from '../../engine/people/person.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import {
  type AccountId,
  accountIdOf,
  companyIdOf,
  environmentOf,
  type KeyId,
  type NoticeId,
} from '../../engine/shared/ids.ts'
import { byOperator } from '../../engine/shared/initiator.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import type { KeySighting } from '../identity/key-usage.ts'
import type { PersonalTexts } from '../identity/personal-texts.ts'
import type { MailText } from '../mail/texts.ts'
import { hasOwnMail, isMailedByChoice, mailedByDefault } from '../resources/account/notice-choices.ts'
import { openDetails } from '../resources/account/notice-details.ts'
import { noticeOfCertificate, noticeOfRestore } from './connection-notices.ts'
import type { ForeignNotice } from './directory-notices.ts'

/** The main thread's part in notices: raises those from outside the shards, and queues the mails of all. */
export type NoticeTeller = {
  /** Raises a notice in its account, once under this id. Rejects if that is not certain. */
  readonly raise: (notice: ForeignNotice, id: NoticeId) => Promise<void>
  /** Queues the mails of an account's notices, each for the people who can act on it. Does not reject. */
  readonly mail: (accountId: AccountId) => Promise<void>
  /** Queues the mails of every account, which an earlier process may have left. */
  readonly mailAll: () => Promise<void>
  /** Raises notices of keys and certificates that are about to expire, of keys that nothing has used for long, and of connections that a restore has suspended. */
  readonly watchKeys: () => Promise<void>
}

export type NoticeTellerOptions = {
  readonly directory: Directory
  readonly router: Pick<Handler, 'execute' | 'query'>
  readonly keyUses: () => Promise<ReadonlyMap<KeyId, Pick<KeySighting, 'used'>>>
  /** Records mails to people in the queue. */
  readonly queue: (mails: readonly NoticeMail[]) => Promise<void>
  readonly personal: Pick<PersonalTexts, 'open'>
  readonly origin: () => string
  /** The name of a provider for people. */
  readonly labelOf: (provider: string) => string
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, accountId: AccountId) => void
  readonly pause?: (ms: number) => Promise<void>
}

type TellerState = Required<NoticeTellerOptions> & {
  /** The notices of keys and certificates that were raised already. */
  readonly raised: Set<NoticeId>
  readonly mailing: Map<AccountId, Promise<void>>
}

/** Opens the main thread's part over the shards and the queue of mails. */
export const openNoticeTeller = (options: NoticeTellerOptions): NoticeTeller => {
  const teller: TellerState = { pause: delay, ...options, raised: new Set(), mailing: new Map() }
  return {
    raise: (notice, id) => raise(teller, notice, id),
    mail: (accountId) => mail(teller, accountId),
    mailAll: async () => {
      for (const { id } of teller.directory.companies.values())
        for (const environment of ['SANDBOX', 'PRODUCTION'] as const)
          await mail(teller, accountIdOf(id, environment))
    },
    watchKeys: () => watchKeys(teller),
  }
}

const raise = async (
  { router }: TellerState,
  { accountId, ...notice }: ForeignNotice,
  noticeId: NoticeId,
): Promise<void> => {
  await router.execute({ type: 'RaiseNotice', accountId, by: byOperator, noticeId, notice })
}

/** Raises a notice; false if it failed, and the next look at the keys tries again. */
const raiseOrNot = async (teller: TellerState, notice: ForeignNotice, id: NoticeId): Promise<boolean> => {
  let pauseMs: number = bounds.accountsRetryMs
  for (let tries = 1; ; tries++) {
    try {
      await raise(teller, notice, id)
      return true
    } catch (error) {
      teller.onTrouble(error, notice.accountId)
      if (tries === bounds.noticeTriesMax) return false
      await teller.pause(pauseMs)
      pauseMs *= 2
    }
  }
}

const mailAccount = async (teller: TellerState, accountId: AccountId): Promise<void> => {
  try {
    const unmailed = await teller.router.query({ type: 'ListUnmailedNotices', accountId })
    const { notices } = unmailed
    if (notices.length === 0) return
    const mails = notices.flatMap((notice) => mailsOf(teller, notice, unmailed))
    // Queued before they are marked: a crash in between sends one twice rather than not at all.
    if (mails.length > 0) await teller.queue(mails)
    const noticeIds = notices.map(({ id }) => id)
    await teller.router.execute({ type: 'RecordNoticesMailed', accountId, by: byOperator, noticeIds })
  } catch (error) {
    teller.onTrouble(error, accountId)
  }
}

const mail = async (teller: TellerState, accountId: AccountId): Promise<void> => {
  const before = teller.mailing.get(accountId) ?? Promise.resolve()
  const next = before.then(() => mailAccount(teller, accountId))
  teller.mailing.set(accountId, next)
  await next
  if (teller.mailing.get(accountId) === next) teller.mailing.delete(accountId)
}

const mailsOf = (
  teller: TellerState,
  notice: PeopleNotice,
  { readers }: UnmailedNotices,
): readonly NoticeMail[] => {
  const { accountId, kind } = notice
  if (hasOwnMail(kind)) return []
  const details = openDetails(notice.details, teller.personal.open)
  const companyId = companyIdOf(accountId)
  const environment = environmentOf(accountId)
  const company = teller.directory.companies.get(companyId)?.name ?? companyId
  const link = `${teller.origin()}/painel/${companyId}/${environment.toLowerCase()}/avisos`
  return peopleFor(teller, notice)
    .filter(
      ({ id }) => !isMailedByChoice(kind) || (readers[id]?.mail[kind] ?? mailedByDefault(kind, environment)),
    )
    .map((to) => ({ to, text: { kind: 'NOTICE', notice: kind, details, company, environment, link } }))
}

/** The people who can act on a notice. */
const peopleFor = (teller: TellerState, { accountId, kind, personId }: PeopleNotice): readonly Person[] => {
  const { persons, memberships } = teller.directory.people
  const permission = noticeKinds[kind]
  return [...memberships.values()]
    .filter(
      ({ companyId, removedAtMs, roles, personId: member }) =>
        companyId === companyIdOf(accountId) &&
        removedAtMs === null &&
        (permission === null
          ? member === personId
          : permissionsOf(roles, environmentOf(accountId)).has(permission)),
    )
    .map((membership) => persons.get(membership.personId)!)
}

const watchKeys = async (teller: TellerState): Promise<void> => {
  const uses = await teller.keyUses()
  for (const key of teller.directory.keys.values()) {
    for (const notice of noticesOfKey(key, uses.get(key.id)?.used?.atMs ?? null, teller.realNow())) {
      const id = noticeIdOf(key.id, notice.kind === 'KEY_UNUSED')
      if (!teller.raised.has(id) && (await raiseOrNot(teller, notice, id))) teller.raised.add(id)
    }
  }
  for (const connection of teller.directory.connections.byId.values()) {
    const label = teller.labelOf(connection.provider)
    for (const due of [
      noticeOfCertificate(connection, label, teller.realNow()),
      noticeOfRestore(connection, label),
    ]) {
      if (due === null || teller.raised.has(due.id)) continue
      if (await raiseOrNot(teller, due.notice, due.id)) teller.raised.add(due.id)
    }
  }
}

export type NoticeMail = { readonly to: Person; readonly text: Extract<MailText, { kind: 'NOTICE' }> }

const noticesOfKey = (key: Key, usedAtMs: number | null, nowMs: number): readonly ForeignNotice[] => {
  const { id: objectId, companyId, environment, name, last4, createdAtMs, expiresAtMs } = key
  const hasEnded = key.revokedAtMs !== null || (expiresAtMs !== null && expiresAtMs <= nowMs)
  if (hasEnded) return []
  const about = { accountId: accountIdOf(companyId, environment), personId: null, objectId }
  const raised: ForeignNotice[] = []
  // A rolled key ends as intended.
  if (expiresAtMs !== null && key.rolledTo === null && expiresAtMs - nowMs <= bounds.keyExpiryToldMs)
    raised.push({
      ...about,
      kind: 'KEY_EXPIRING',
      details: { name, last4, expiresAt: isoInstant(expiresAtMs) },
    })
  if (nowMs - (usedAtMs ?? createdAtMs) >= bounds.keyUnusedToldMs)
    raised.push({ ...about, kind: 'KEY_UNUSED', details: { name, last4 } })
  return raised
}

/** An id derived from the key's: each kind of notice exists once, however many nodes raise it. */
const noticeIdOf = (keyId: KeyId, isUnused: boolean): NoticeId => {
  const [time, rest] = [keyId.slice(4, 14), keyId.slice(14)]
  return `ntf_${time}${isUnused ? [...rest].reverse().join('') : rest}` as NoticeId
}
