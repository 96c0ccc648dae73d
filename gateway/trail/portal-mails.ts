import { type AccountId, companyIdOf, environmentOf } from '../../engine/shared/ids.ts'
import { byClock } from '../../engine/shared/initiator.ts'
import type { Mail } from '../mail/mailer.ts'
import type { PortalMailReference } from '../mail/outbox.ts'
import { mailingCompanyOf } from '../mail/payer-mail-document.ts'
import { portalMailOf } from '../mail/portal-mail.ts'
import type { PayerMailsOptions } from './payer-mails.ts'

/** Queues the mails of an account whose customers asked for a link to their portal. */
export const queuePortals = async (
  { router, queue }: Pick<PayerMailsOptions, 'router' | 'queue'>,
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
  { router, directory, pagesOf }: Pick<PayerMailsOptions, 'router' | 'directory' | 'pagesOf'>,
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
