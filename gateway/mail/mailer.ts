// Mail to people: the texts in each language, the outbox that holds mails until a server has taken them, and the
// server.
import type { Transporter } from 'nodemailer'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** Sends mail to people. Rejects while the server takes none. */
export type Mailer = (mail: Mail) => Promise<void>

/** Mail through an SMTP server. nodemailer is loaded by the first mail. */
export const smtpMailer = (url: string, from: string): Mailer => {
  let transport: Promise<Transporter> | null = null
  return async (mail) => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(url))
    await (await transport).sendMail({ from, ...mail })
  }
}
