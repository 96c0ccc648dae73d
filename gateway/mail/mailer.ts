// Mail to people and payers: the texts in each language, the outbox that holds mails until a server has taken them, and the
// server.
import type { Transporter } from 'nodemailer'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Whom it comes from, beside the service's address; replies go to them. */
  readonly sender?: { readonly name: string; readonly email: string | null }
  readonly attachments?: readonly Attachment[]
  /** Where one click, and no question, ends such mail (RFC 8058). */
  readonly unsubscribeUrl?: string
  /** The same at every try, so that a mail that was taken twice is shown once. */
  readonly messageId?: string
}

export type Attachment = {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
  /** The name under which the HTML shows it. */
  readonly cid?: string
}

/** Sends mail. Rejects while the server takes none. */
export type Mailer = (mail: Mail) => Promise<void>

/** Mail through an SMTP server. nodemailer is loaded by the first mail. */
export const smtpMailer = (url: string, from: string): Mailer => {
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
  let transport: Promise<Transporter> | null = null
  return async ({ sender, unsubscribeUrl, attachments, messageId, ...mail }) => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(url))
    await (await transport).sendMail({
      ...mail,
      from: sender === undefined ? from : { name: sender.name, address },
      ...(sender?.email && { replyTo: sender.email }),
      ...(attachments && { attachments: [...attachments] }),
      ...(messageId && { messageId: `<${messageId}@${address.slice(address.lastIndexOf('@') + 1)}>` }),
      ...(unsubscribeUrl && {
        headers: {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
    })
  }
}
