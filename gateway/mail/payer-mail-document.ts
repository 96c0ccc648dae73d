import { nameForPayers } from '../../engine/companies/checkout-branding.ts'
import type { Company } from '../../engine/companies/company.ts'
import { payerTexts } from './payer-texts.ts'

/** The company that a mail to its payer is from. */
export type MailingCompany = {
  readonly name: string
  readonly document: string
  readonly email: string | null
}

/** How a company signs mails to its payers, and where they answer. */
export const mailingCompanyOf = (company: Company): MailingCompany => ({
  name: nameForPayers(company),
  document: company.document,
  email: company.checkout.supportEmail ?? company.email,
})

/** The HTML of a mail to a payer, which loads nothing from anywhere. Tables and styles in place are what every program that shows mail understands. */
export const mailDocument = ({
  language,
  company,
  title,
  test,
  hello,
  opening,
  body,
  closing,
  unsubscribeUrl,
}: {
  readonly language: 'pt' | 'en'
  readonly company: MailingCompany
  readonly title: string
  /** What is said at the head of a mail from the Sandbox; null in Production. */
  readonly test: string | null
  readonly hello: string
  readonly opening: string
  /** Rows of the table, as HTML. */
  readonly body: string
  readonly closing: string
  /** Null for a mail that was asked for. */
  readonly unsubscribeUrl: string | null
}): string => {
  const say = payerTexts[language]
  return `<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:0;background:#f4f5f2;color:#17201d;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#fff;border:1px solid #dfe3dd;border-radius:8px">
<tr><td style="padding:28px 28px 8px;font-weight:600;overflow-wrap:anywhere">${escaped(company.name)}</td></tr>
${test === null ? '' : `<tr><td style="padding:4px 28px"><p style="margin:0;padding:8px 12px;background:#fdf1d7;border-radius:6px">${test}</p></td></tr>`}
<tr><td style="padding:8px 28px;overflow-wrap:anywhere"><p style="margin:0 0 8px">${escaped(hello)}</p><p style="margin:0">${escaped(opening)}</p></td></tr>
${body}
<tr><td style="padding:20px 28px 24px;font-size:14px;color:#56615c;overflow-wrap:anywhere">${escaped(closing)}</td></tr>
</table>
<p style="max-width:560px;margin:16px auto 0;font-size:13px;color:#56615c">${escaped(say.sentBy(company.name, cnpj(company.document)))}${unsubscribeUrl === null ? '' : `<br><a href="${escaped(unsubscribeUrl)}" style="color:#56615c">${escaped(say.unsubscribe(company.name))}</a>`}</p>
</td></tr></table>
</body>
</html>
`
}

/** Text inside of HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!)

/** `00.000.000/0001-00`, of digits or letters. */
export const cnpj = (document: string): string =>
  document.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')
