import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { newOwner, openBrowser, password } from './person.ts'
import { newMerchant, oneWorker, startService, until } from './service.ts'

/** Mail as people get it: over SMTP, on a developer's terminal, or not at all (dashboard, section 1.2). */

/** A mail server that keeps what it is sent (RFC 5321), and answers for a message when it is let. */
const startMailServer = async (t: Test) => {
  const messages: string[] = []
  let held: (() => void)[] | null = []
  const server = createServer((socket) => {
    socket.write('220 mail.example.com\r\n')
    let inMessage = false
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      for (;;) {
        const end = text.indexOf(inMessage ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (inMessage ? 5 : 2))
        if (inMessage) {
          inMessage = false
          messages.push(line)
          const accept = (): void => void socket.write('250 kept\r\n')
          if (held === null) accept()
          else held.push(accept)
        } else if (/^DATA/i.test(line)) {
          inMessage = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 mail.example.com\r\n')
      }
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => server.close())
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    /** Answers for what waits, and at once from then on. */
    letGo: () => {
      for (const accept of held ?? []) accept()
      held = null
    },
  }
}

t.test('a mail that is asked for while another is on its way goes right after it', async (t) => {
  const mail = await startMailServer(t)
  const service = await startService(t, { env: { ...oneWorker, MAIL_URL: mail.url } })
  const { company } = await newMerchant(service)
  const ana = await newOwner(service, company.id)
  mail.letGo()
  const browser = openBrowser(service.origin)
  const resets = () => mail.messages.filter((text) => /^Subject: .*(senha|password)/im.test(text)).length
  await until(async () => mail.messages.length > 0)
  for (let n = 0; n < 2; n++) await browser.call('POST', '/v1/password/forgot', { email: ana.email })
  // Without waiting for the next look at the queue, which is a minute off.
  await until(async () => resets() === 2)
  t.equal(resets(), 2)
})

const linkIn = /\/painel\/[\w-]+#[\w-]{20,}/

t.test('on the loopback a developer reads mail on the terminal', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company } = await newMerchant(service)
  const ana = await newOwner(service, company.id)
  await openBrowser(service.origin).call('POST', '/v1/password/forgot', { email: ana.email })
  await service.logged('nova-senha#')
  t.match(service.log(), linkIn)
})

t.test('behind a proxy no line of the log holds a link, and operators hand links out', async (t) => {
  const env = { ...oneWorker, PUBLIC_URL: 'https://pay.example.com' }
  const first = await startService(t, { env })
  t.notMatch(first.log(), /MAIL_URL/, 'without people nobody waits for mail')
  const { company } = await newMerchant(first)
  const ana = await newOwner(first, company.id)
  const browser = ana.browser.at(company.id, 'PRODUCTION')
  const invited = await browser.call('POST', '/v1/team/invitations', {
    email: 'bia@example.com',
    roles: { SANDBOX: 'VIEWER', PRODUCTION: null },
  })
  t.match(invited, { status: 201, body: { link: linkIn } }, 'who invites hands the link out')
  const stranger = openBrowser(first.origin)
  t.equal((await stranger.call('POST', '/v1/password/forgot', { email: ana.email })).status, 202)
  const { link } = await first.operate('people reset-password', { id: ana.email })
  t.match(link, /^https:\/\/pay\.example\.com\/painel\/nova-senha#/)
  // A stranger who asks for a link does not end the one that was handed out.
  await stranger.call('POST', '/v1/password/forgot', { email: ana.email })
  const reset = { token: link.split('#')[1], password: 'grampo bateria cavalo' }
  t.equal((await stranger.call('POST', '/v1/password/reset', reset)).status, 200)
  t.equal((await ana.browser.call('GET', '/v1/session')).status, 401)
  t.match(await stranger.call('POST', '/v1/session', { email: ana.email, password }), { status: 401 })
  t.match(await stranger.call('POST', '/v1/session', { email: ana.email, password: reset.password }), {
    body: { next: 'SECOND_FACTOR' },
  })
  t.notMatch(first.log(), linkIn)
  await first.kill('SIGTERM')
  const again = await startService(t, { dataDir: first.dataDir, env })
  await again.logged('MAIL_URL is not set')
  t.equal(again.log().split('MAIL_URL is not set').length - 1, 1, 'once')
  t.notMatch(again.log(), linkIn)
})
