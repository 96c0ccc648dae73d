import type { Directory } from '../../engine/companies/directory.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import { type AccountId, companyIdOf, environmentOf } from '../../engine/shared/ids.ts'
import { byClock } from '../../engine/shared/initiator.ts'
import type { CompanyPages } from '../api/route.ts'
import type { Mail } from '../mail/mailer.ts'
import type { MailReference, PortalMailReference } from '../mail/outbox.ts'
import { mailingCompanyOf } from '../mail/payer-mail-document.ts'
import { portalMailOf } from '../mail/portal-mail.ts'

export type PortalMailsOptions = {
  readonly directory: Pick<Directory, 'companies'>
  readonly router: Pick<Handler, 'execute' | 'query'>
  /** Puts a mail into the queue, once under its id. */
  readonly queue: (reference: MailReference, id: string) => Promise<void>
  readonly pagesOf: (accountId: AccountId) => Pick<CompanyPages, 'portalUrl'>
}

/** Queues the mails of an account whose customers asked for a link to their portal. */
export const queuePortals = async (
  { router, queue }: PortalMailsOptions,
  accountId: AccountId,
): Promise<void> => {
  for (const portalSessionId of await router.query({ type: 'ListWaitingPortals', accountId })) {
    // Queued before it is recorded: a crash in between queues it again under the same id rather than not at all.
    await queue({ accountId, portalSessionId }, portalSessionId)
    await router.execute({ type: 'RecordPortalMail', accountId, by: byClock, portalSessionId })
  }
}

/** Writes such a mail; null where its link leads nowhere any more. */
export const writePortalMail = async (
  { router, directory, pagesOf }: PortalMailsOptions,
  { accountId, portalSessionId }: PortalMailReference,
): Promise<Mail | null> => {
  const mail = await router.query({ type: 'FindPortalMail', accountId, portalSessionId })
  const company = directory.companies.get(companyIdOf(accountId))
  if (mail === null || company === undefined) return null
  return portalMailOf({
    ...mail,
    company: mailingCompanyOf(company),
    url: pagesOf(accountId).portalUrl(portalSessionId),
    isTest: environmentOf(accountId) === 'SANDBOX',
    messageId: portalSessionId,
  })
}
