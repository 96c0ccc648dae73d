import t from 'tap'
import { newAuthenticator } from './authenticator.ts'
import { newOwner, openBrowser } from './person.ts'
import { newMerchant, oneWorker, startService } from './service.ts'

t.test('a passkey signs a person in, and confirms exactly the request that it has signed', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company } = await newMerchant(service)
  const { browser, code } = await newOwner(service, company.id)
  const origin = `http://localhost:${new URL(service.origin).port}`
  const phone = newAuthenticator(origin)
  const factor = { 'Service-Second-Factor': `totp ${code()}` }
  t.match(await browser.call('POST', '/v1/me/passkeys/options'), {
    status: 403,
    body: { code: 'SECOND_FACTOR_REQUIRED', methods: ['totp'] },
  })
  const options = await browser.call('POST', '/v1/me/passkeys/options', undefined, factor)
  t.match(options.body, { rp: { id: 'localhost' }, authenticatorSelection: { userVerification: 'required' } })
  const added = await browser.call('POST', '/v1/me/passkeys', {
    name: 'Telefone',
    credential: phone.create(options.body),
  })
  t.match(added, { status: 200, body: { person: { factors: ['totp', 'passkey'] } } })
  t.match(
    await browser.call('POST', '/v1/me/passkeys', {
      name: 'Outra vez',
      credential: phone.create(options.body),
    }),
    { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } },
    'a challenge counts once',
  )
  const totp = { verb: 'POST', path: '/v1/me/totp' }
  const asked = await browser.call('POST', '/v1/session/challenge', totp)
  const signed = Buffer.from(JSON.stringify(phone.get(asked.body))).toString('base64url')
  t.match(
    await browser.call(totp.verb, totp.path, undefined, { 'Service-Second-Factor': `passkey ${signed}` }),
    { status: 200, body: { secret: String } },
    'the passkey confirms another app',
  )

  const other = openBrowser(service.origin)
  const challenge = await other.call('POST', '/v1/session/passkey/options')
  const stranger = newAuthenticator(origin)
  t.equal(
    (await other.call('POST', '/v1/session/passkey', { assertion: stranger.get(challenge.body) })).status,
    401,
  )
  const elsewhere = { ...phone, ...newAuthenticator('http://evil.example') }
  t.equal(
    (await other.call('POST', '/v1/session/passkey', { assertion: elsewhere.get(challenge.body) })).status,
    401,
  )
  const assertion = phone.get(challenge.body)
  t.match(await other.call('POST', '/v1/session/passkey', { assertion }), {
    status: 200,
    body: { object: 'session' },
  })
  t.equal((await other.call('POST', '/v1/session/passkey', { assertion })).status, 403, 'once')
  t.match(await other.at(company.id).call('GET', '/v1/team'), { status: 200 })
})
