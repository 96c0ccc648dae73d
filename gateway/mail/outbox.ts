import type { SessionFact, Sessions } from '../../engine/people/session.ts'
import type { AccountId, PayerMailId, PortalSessionId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { seal, unseal } from '../base/seal.ts'
import type { Mail, Mailer } from './mailer.ts'

/** Mails wait here from the record of what they report until a server has taken them: sent at least once, and tried for a day. */
export type MailOutbox = {
  /** The fact that queues a mail, to be recorded with what it reports. Under an id of its own it is queued once, however often. */
  readonly queued: (mail: Mail | MailReference, id?: string) => SessionFact
  /** Sends what is queued. Resolves when nothing is left to send now. */
  readonly send: () => Promise<void>
}

/** A mail to a payer waits by name: it is written when it is sent, so that it asks for nothing that was paid meanwhile. */
export type MailReference = PayerMailReference | PortalMailReference

export type PortalMailReference = { readonly accountId: AccountId; readonly portalSessionId: PortalSessionId }

export type PayerMailReference = {
  readonly accountId: AccountId
  readonly payerMailId: PayerMailId
  readonly number: number
}

/** Opens the outbox over the facts about sessions, where mails are sealed because links in them are as good as passwords. */
export const openMailOutbox = (options: {
  readonly sessions: Pick<Sessions, 'mails'>
  readonly record: (facts: readonly SessionFact[]) => Promise<void>
  /** Null where no mail is sent: links are handed out instead. */
  readonly mailer: Mailer | null
  /** Writes a mail to a payer; null if there is nothing to send any more. */
  readonly write: (reference: MailReference) => Promise<Mail | null>
  /** How long mail of another node waits for it, before this one sends it. */
  readonly adoptedAfterMs: number
  readonly masterKey: Buffer
  readonly realNow: () => number
  readonly newId: () => string
  readonly onTrouble: (error: unknown) => void
}): MailOutbox => {
  const { sessions, record, mailer, masterKey, realNow } = options
  let sending: Promise<void> | null = null
  const own = new Set<string>()
  const isOurs = (id: string, atMs: number): boolean =>
    own.has(id) || realNow() - atMs >= options.adoptedAfterMs

  /** Sends mails one after the other, each once, including those queued meanwhile. */
  const sendAll = async (): Promise<void> => {
    const tried = new Set<string>()
    const next = () => [...sessions.mails].find(([id, { atMs }]) => !tried.has(id) && isOurs(id, atMs))
    for (let mail = next(); mail !== undefined; mail = next()) {
      tried.add(mail[0])
      await sendOne(...mail).catch(options.onTrouble)
    }
    // Reset in the same turn that found nothing: a mail queued later starts a new run.
    sending = null
  }

  const sendOne = async (id: string, { sealedMail, atMs }: QueuedMail): Promise<void> => {
    if (mailer !== null) {
      try {
        const queued = JSON.parse(unseal(sealedMail, masterKey, `mail ${id}`)) as Mail | MailReference
        const mail = 'accountId' in queued ? await options.write(queued) : queued
        if (mail !== null) await mailer(mail)
      } catch (error) {
        options.onTrouble(error)
        if (realNow() - atMs < bounds.mailTriedMs) return
      }
    }
    await record([{ type: 'MailDone', id }])
    own.delete(id)
  }

  return {
    queued: (mail, id = options.newId()) => {
      own.add(id)
      const sealedMail = seal(JSON.stringify(mail), masterKey, `mail ${id}`)
      return { type: 'MailQueued', id, sealedMail, atMs: realNow() }
    },
    send: () => {
      if (sessions.mails.size === 0) return Promise.resolve()
      sending ??= sendAll()
      return sending
    },
  }
}

type QueuedMail = { readonly sealedMail: string; readonly atMs: number }
