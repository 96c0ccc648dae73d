import { type AddressInfo, createServer } from 'node:net'
import { type Scope, until } from './service.ts'

/** A mail server that keeps what it is sent (RFC 5321). */
export const startMailServer = async (t: Scope) => {
  const messages: { readonly to: string; readonly text: string }[] = []
  const server = createServer((socket) => {
    socket.write('220 mail.example.com\r\n')
    let to = ''
    let inMessage = false
    let read = ''
    const line = (text: string): void => {
      if (inMessage) messages.push({ to, text: decoded(text) })
      to = /^RCPT TO:<(.*)>/i.exec(text)?.[1] ?? to
      inMessage = !inMessage && /^DATA/i.test(text)
      if (/^QUIT/i.test(text)) socket.end('221 bye\r\n')
      else socket.write(inMessage ? '354 go on\r\n' : '250 mail.example.com\r\n')
    }
    socket.on('data', (chunk) => {
      read += chunk.toString('utf8')
      for (;;) {
        const end = inMessage ? '\r\n.\r\n' : '\r\n'
        const at = read.indexOf(end)
        if (at < 0) return
        const text = read.slice(0, at)
        read = read.slice(at + end.length)
        line(text)
      }
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => server.close())
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    /** The token of the nth link that was mailed to an address, once it is there. */
    mailedToken: async (email: string, nth = 1): Promise<string> => {
      const tokens = (): readonly string[] =>
        messages.flatMap(({ to, text }) => (to === email ? (/#([\w-]{43})/.exec(text)?.[1] ?? []) : []))
      await until(async () => tokens().length >= nth)
      return tokens()[nth - 1]!
    },
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** The parts of a mail by their media types, decoded. */
export const partsOf = (message: string): ReadonlyMap<string, string> => {
  // A line that begins with a dot was sent with two (RFC 5321, section 4.5.2).
  const parts = message
    .replace(/\r\n\.\./g, '\r\n.')
    .split(/^--[^\r\n]+\r\n/m)
    .flatMap((part) => {
      const type = /^Content-Type: ([\w/]+)/im.exec(part)?.[1]
      const split = part.indexOf('\r\n\r\n')
      if (type === undefined || split < 0 || type.startsWith('multipart')) return []
      const [head, body] = [part.slice(0, split), part.slice(split)]
      if (/encoding: base64/i.test(head))
        return [[type, Buffer.from(body, 'base64').toString('latin1')] as const]
      const bytes = body
        .replace(/=\r\n/g, '')
        .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      return [[type, /quoted/i.test(head) ? Buffer.from(bytes, 'latin1').toString('utf8') : body] as const]
    })
  return new Map(parts)
}

/** A message as it reads: the body is encoded as its header says (RFC 2045, section 6). */
const decoded = (message: string): string => {
  const split = message.indexOf('\r\n\r\n')
  const [head, body] = [message.slice(0, split), message.slice(split)]
  if (/^Content-Transfer-Encoding: base64/im.test(head))
    return head + Buffer.from(body, 'base64').toString('utf8')
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(head)) return message
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return head + Buffer.from(bytes, 'latin1').toString('utf8')
}
