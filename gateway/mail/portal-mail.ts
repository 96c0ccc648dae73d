import type { Mail } from './mailer.ts'
import { cnpj, escaped, type MailingCompany, mailDocument } from './payer-mail-document.ts'
import { payerTexts } from './payer-texts.ts'

/** Writes the mail with the link to a customer's portal, as text and as HTML. */
export const portalMailOf = ({
  to,
  name,
  language,
  company,
  url,
  isTest,
  messageId,
}: {
  readonly to: string
  readonly name: string
  readonly language: 'pt' | 'en'
  readonly company: MailingCompany
  readonly url: string
  readonly isTest: boolean
  readonly messageId: string
}): Mail => {
  const say = payerTexts[language]
  const { subject, opening, open, ignore } = say.portal
  const test = isTest ? say.testPortal : null
  const [hello, title] = [say.hello(name), subject(company.name)]
  return {
    to,
    subject: `${isTest ? '[Sandbox] ' : ''}${title}`,
    text: `${[test, hello, `${opening}\n\n${url}`, ignore, say.sentBy(company.name, cnpj(company.document))].filter(Boolean).join('\n\n')}\n`,
    html: mailDocument({
      language,
      company,
      title,
      test,
      hello,
      opening,
      body: `<tr><td style="padding:16px 28px 4px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;background:#1f5e4a;color:#fff;border-radius:6px;font-weight:600;text-decoration:none">${open}</a></td></tr>`,
      closing: ignore,
      unsubscribeUrl: null,
    }),
    sender: { name: company.name, email: company.email },
    messageId,
  }
}
