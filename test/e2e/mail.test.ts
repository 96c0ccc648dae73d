import t from 'tap'
import { startMailServer } from './mail-server.ts'
import { newOwner, openBrowser, password } from './person.ts'
import { newMerchant, oneWorker, startService, until } from './service.ts'

/** Mail as people get it: over SMTP, on a developer's terminal, or not at all (dashboard, section 1.2). */

t.test('a mail that is asked for while another is on its way goes right after it', async (t) => {
  const mail = await startMailServer(t)
  const service = await startService(t, { env: { ...oneWorker, MAIL_URL: mail.url } })
  const { company } = await newMerchant(service)
  const ana = await newOwner(service, company.id)
  const browser = openBrowser(service.origin)
  const resets = () => mail.messages.filter(({ text }) => text.includes('/painel/nova-senha#')).length
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
