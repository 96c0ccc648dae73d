import { codeAt } from '../../../gateway/identity/totp.ts'
import { newAuthenticator } from '../authenticator.ts'
import type { MailServer } from '../mail-server.ts'
import { type Browser, enrol, fromBase32, newOwner, openBrowser, password } from '../person.ts'
import type { Service } from '../service.ts'
import { publicUrl } from '../sign-in-directly.ts'

/** Does an operation, and records what was sent and what came back. */
export type Does = (
  browser: Browser,
  operation: string,
  title: string,
  sent?: { readonly id?: string; readonly query?: Readonly<Record<string, string>>; readonly body?: object },
) => Promise<any>

/** What people do at the dashboard: every operation at least once. Secrets are in it, of people who exist in this story alone. */
export const playPeople = async (
  service: Service,
  mail: MailServer,
  companyId: string,
  does: Does,
): Promise<void> => {
  const owner = await newOwner(service, companyId)
  const { browser } = owner
  const desk = browser.at(companyId, 'PRODUCTION')
  await does(browser, 'getSession', 'Signed in')
  await playTeam(service, mail, owner.browser, desk, does)
  await playOwnAccount(service, mail, owner, publicUrl, does)
}

const playTeam = async (
  service: Service,
  { mailedToken }: MailServer,
  browser: Browser,
  desk: Browser,
  does: Does,
): Promise<void> => {
  const roles = { SANDBOX: 'DEVELOPER', PRODUCTION: 'VIEWER' }
  const invitation = await does(desk, 'inviteMember', 'A developer', {
    body: { email: 'bia@example.com', name: 'Bia Lima', roles },
  })
  await does(desk, 'resendInvitation', 'With a new link', { id: invitation.id })
  const token = await mailedToken('bia@example.com', 2)
  const bia = openBrowser(service.origin)
  await does(bia, 'readInvitation', 'Before it is accepted', { body: { token } })
  await does(bia, 'acceptInvitation', 'A new person', { body: { token, name: 'Bia Lima', password } })
  await does(bia, 'confirmTotp', 'The first code', {
    body: { code: codeOf((await bia.call('POST', '/v1/me/totp')).body.secret) },
  })
  const other = await does(desk, 'inviteMember', 'A second one', {
    body: { email: 'caio@example.com', roles },
  })
  await does(desk, 'revokeInvitation', 'Sent by mistake', { id: other.id })
  const { members } = await does(desk, 'getTeam', 'Two members')
  const member = members.find(({ email }: any) => email === 'bia@example.com')
  await does(desk, 'endMemberSessions', 'Everywhere', { id: member.id })
  await does(desk, 'resetMemberFactor', 'The phone was lost', { id: member.id })

  await service.operate('people invite', {
    company: memberCompany(await browser.call('GET', '/v1/session')),
    email: 'davi@example.com',
    role: 'admin',
  })
  const davi = await enrol(service, `#${await mailedToken('davi@example.com')}`, 'davi@example.com')
  const finance = { roles: { SANDBOX: 'FINANCE', PRODUCTION: 'FINANCE' } }
  const asked = await does(desk, 'changeMember', 'A role that holds money waits', {
    id: member.id,
    body: finance,
  })
  await does(desk, 'rejectRoleChange', 'Taken back', { id: asked.pendingChange.id })
  const again = await desk.call('PATCH', `/v1/team/${member.id}`, finance)
  const second = davi.browser.at(memberCompany(await davi.browser.call('GET', '/v1/session')), 'PRODUCTION')
  await does(
    second.with({ 'Service-Second-Factor': `totp ${davi.code()}` }),
    'approveRoleChange',
    'By another person',
    {
      id: again.body.pendingChange.id,
    },
  )
  await does(desk, 'removeMember', 'Left the company', { id: member.id })
}

const codeOf = (secret: string): string => codeAt(fromBase32(secret), Math.floor(Date.now() / 30_000))

const memberCompany = ({ body }: { readonly body: any }): string => body.memberships[0].companyId

const playOwnAccount = async (
  service: Service,
  { mailedToken }: MailServer,
  { browser, email, code }: Awaited<ReturnType<typeof newOwner>>,
  origin: string,
  does: Does,
): Promise<void> => {
  await does(browser, 'getMe', 'Oneself')
  await does(browser, 'changeMe', 'In English', { body: { language: 'en', theme: 'DARK' } })
  const phone = newAuthenticator(origin)
  const withCode = browser.with({ 'Service-Second-Factor': `totp ${code()}` })
  const creation = await does(withCode, 'startPasskey', 'For navigator.credentials.create')
  const added = await does(browser, 'addPasskey', 'Of a phone', {
    body: { name: 'Telefone', credential: phone.create(creation) },
  })
  const [passkey] = added.person.passkeys
  await does(browser, 'renamePasskey', 'With a new name', {
    id: passkey.id,
    body: { name: 'Telefone da Ana' },
  })
  /** The browser with the passkey's signature of one request. */
  const signing = async (verb: string, path: string, body: object = {}): Promise<Browser> => {
    const { body: options } = await browser.call('POST', '/v1/session/challenge', { verb, path, body })
    const assertion = Buffer.from(JSON.stringify(phone.get(options))).toString('base64url')
    return browser.with({ 'Service-Second-Factor': `passkey ${assertion}` })
  }
  await does(await signing('POST', '/v1/me/totp'), 'startTotp', 'A new phone')

  const laptop = openBrowser(service.origin)
  await does(laptop, 'signIn', 'With a password', { body: { email, password } })
  await does(laptop, 'giveSecondFactor', 'A code', { body: { totp: code() } })
  const tablet = openBrowser(service.origin)
  const request = await does(tablet, 'startPasskeySignIn', 'For navigator.credentials.get')
  await does(tablet, 'signInWithPasskey', 'With a passkey', { body: { assertion: phone.get(request) } })
  const { data } = await does(browser, 'listMySessions', 'Three browsers')
  await does(browser, 'endMySession', 'A browser', { id: data.find(({ current }: any) => !current).id })
  await does(browser, 'endMyOtherSessions', 'All others')

  const challenge = await does(browser, 'getChallenge', 'For a step-up', { body: {} })
  await does(browser, 'stepUp', 'With a passkey', { body: { assertion: phone.get(challenge) } })
  const { codes } = await does(browser, 'renewRecoveryCodes', 'Ten new codes')
  const address = { email: 'ana.souza@example.com' }
  await does(await signing('PATCH', '/v1/me', address), 'changeMe', 'A new address', { body: address })
  const visitor = openBrowser(service.origin)
  await does(visitor, 'confirmEmail', 'By the link', {
    body: { token: await mailedToken('ana.souza@example.com') },
  })
  await does(browser, 'removePasskey', 'The phone is gone', { id: passkey.id })
  await does(browser, 'changeMyPassword', 'A new one', {
    body: { current: password, new: 'grampo cavalo correto bateria' },
  })
  await does(visitor, 'forgotPassword', 'Always the same answer', {
    body: { email: 'ana.souza@example.com' },
  })
  await does(visitor, 'resetPassword', 'By the link', {
    body: { token: await mailedToken('ana.souza@example.com', 2), password },
  })
  const last = openBrowser(service.origin)
  await last.call('POST', '/v1/session', { email: 'ana.souza@example.com', password })
  await last.call('POST', '/v1/session/second-factor', { recoveryCode: codes[0] })
  await does(last, 'signOut', 'Signed out')
}
