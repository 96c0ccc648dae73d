import type { MailPurpose } from '../../engine/payer-mail/payer-mail.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { Attachment, Mail } from './mailer.ts'
import { cnpj, escaped, type MailingCompany, mailDocument } from './payer-mail-document.ts'
import { type ChargeWords, payerTexts } from './payer-texts.ts'

/** What a payer is told about a charge. */
export type PayerMailContent = {
  readonly to: string
  readonly purpose: MailPurpose
  readonly language: 'pt' | 'en'
  readonly payerName: string
  readonly company: MailingCompany
  readonly amountCents: number
  readonly dueDate: CalendarDate | null
  readonly description: string | null
  readonly pix: { readonly copyPaste: string; readonly qrCodePng: Buffer } | null
  readonly boleto: { readonly line: string; readonly fileName: string; readonly pdf: Buffer } | null
  readonly receipt: { readonly fileName: string; readonly pdf: Buffer } | null
  readonly isTest: boolean
  /** Null for a mail that was asked for: it is none of a kind that could be stopped. */
  readonly unsubscribeUrl: string | null
  readonly messageId: string
}

/** Writes a mail to a payer, as text and as HTML that loads nothing from anywhere. */
export const payerMailOf = (content: PayerMailContent): Mail => {
  const { to, company, isTest, purpose, unsubscribeUrl, messageId } = content
  const say = payerTexts[content.language]
  const words = wordsOf(content)
  const attachments = attachmentsOf(content)
  return {
    to,
    subject: `${isTest ? '[Sandbox] ' : ''}${say.subject[purpose](words)}`,
    text: textOf(content, words),
    html: htmlOf(content, words),
    sender: { name: company.name, email: company.email },
    ...(attachments.length > 0 && { attachments }),
    ...(unsubscribeUrl !== null && { unsubscribeUrl }),
    messageId,
  }
}

const wordsOf = ({ company, amountCents, dueDate, language }: PayerMailContent): ChargeWords => ({
  company: company.name,
  amount: new Intl.NumberFormat(payerTexts[language].locale, { style: 'currency', currency: 'BRL' }).format(
    amountCents / 100,
  ),
  dueDate: dueDate && dayIn(language, dueDate),
})

const dayIn = (language: 'pt' | 'en', date: CalendarDate): string =>
  new Intl.DateTimeFormat(payerTexts[language].locale, {
    ...(language === 'pt' ? { dateStyle: 'short' } : { dateStyle: 'medium' }),
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`))

const attachmentsOf = ({ pix, boleto, receipt }: PayerMailContent): readonly Attachment[] => [
  ...(pix === null
    ? []
    : [{ filename: 'pix.png', contentType: 'image/png', content: pix.qrCodePng, cid: qrCodeCid }]),
  ...(boleto === null
    ? []
    : [{ filename: boleto.fileName, contentType: 'application/pdf', content: boleto.pdf }]),
  ...(receipt === null
    ? []
    : [{ filename: receipt.fileName, contentType: 'application/pdf', content: receipt.pdf }]),
]

const qrCodeCid = 'qr-code'

const textOf = (content: PayerMailContent, words: ChargeWords): string => {
  const { company, language, purpose, pix, boleto, isTest, unsubscribeUrl } = content
  const say = payerTexts[language]
  const paragraphs = [
    isTest && testNotice(content),
    say.hello(content.payerName),
    say.opening[purpose](words),
    rowsOf(content, words)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    pix && `${say.pix}\n${say.pixHow}\n\n${pix.copyPaste}`,
    boleto && `${say.boleto}\n${say.boletoHow}\n\n${boleto.line}`,
    // Who has paid has nothing to check any more.
    purpose !== 'RECEIPT' && say.check(company.name),
    say.sentBy(company.name, cnpj(company.document)),
    unsubscribeUrl && `${say.unsubscribe(company.name)}: ${unsubscribeUrl}`,
  ]
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`
}

const testNotice = ({ language, purpose }: PayerMailContent): string => {
  const say = payerTexts[language]
  return purpose === 'RECEIPT' ? say.testReceipt : say.test
}

const rowsOf = ({ language, description }: PayerMailContent, words: ChargeWords) => {
  const say = payerTexts[language]
  return [
    [say.amount, words.amount] as const,
    ...(words.dueDate === null ? [] : [[say.dueDate, words.dueDate] as const]),
    ...(description === null ? [] : [[say.description, description] as const]),
  ]
}

const htmlOf = (content: PayerMailContent, words: ChargeWords): string => {
  const { company, language, purpose, pix, boleto, isTest, unsubscribeUrl } = content
  const say = payerTexts[language]
  const rows = rowsOf(content, words).slice(1)
  return mailDocument({
    language,
    company,
    title: say.subject[purpose](words),
    test: isTest ? testNotice(content) : null,
    hello: say.hello(content.payerName),
    opening: say.opening[purpose](words),
    body: `<tr><td style="padding:16px 28px 4px"><div style="font-size:14px;color:#56615c">${say.amount}</div><div style="font-size:30px;line-height:1.2;font-weight:600">${escaped(words.amount)}</div></td></tr>
${rows.map(([name, value]) => `<tr><td style="padding:6px 28px;overflow-wrap:anywhere"><span style="font-size:14px;color:#56615c">${name}</span><br>${escaped(value)}</td></tr>`).join('\n')}
${pix === null ? '' : section(say.pix, say.pixHow, `<img src="cid:${qrCodeCid}" width="200" height="200" alt="${say.qrCode}" style="display:block;margin:0 0 12px;border:0">${code(pix.copyPaste)}`)}
${boleto === null ? '' : section(say.boleto, say.boletoHow, code(boleto.line))}`,
    closing: purpose === 'RECEIPT' ? '' : say.check(company.name),
    unsubscribeUrl,
  })
}

const section = (title: string, how: string, body: string): string =>
  `<tr><td style="padding:20px 28px 4px"><div style="border-top:1px solid #dfe3dd;padding-top:20px"><div style="font-weight:600">${title}</div><p style="margin:4px 0 12px">${how}</p>${body}</div></td></tr>`

const code = (text: string): string =>
  `<div style="padding:12px;background:#f4f5f2;border-radius:6px;font:14px/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere">${escaped(text)}</div>`
