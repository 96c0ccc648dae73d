import t from 'tap'
import { codeAt } from '../../../../gateway/identity/totp.ts'
import { fromBase32 } from '../../../e2e/person.ts'
import { openDesk, refusalOf, tokenOf } from './desk.ts'

const hourMs = 3_600_000
const both = (role: 'OWNER' | 'ADMIN' | 'FINANCE' | 'VIEWER') => ({ SANDBOX: role, PRODUCTION: role })

t.test('a person with an international address is one person, however the domain is typed', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const invite = (email: string) =>
    desk.operate('team invite', { company, email, roles: both('VIEWER') }, ana.by)
  await invite('Bia@Café.com.br')
  const token = tokenOf(desk.mails, 'bia@xn--caf-dma.com.br')
  const password = 'cavalo bateria grampo'
  await desk.operate('invitations accept', { token, name: 'Bia', password }, desk.stranger)
  for (const email of ['bia@café.com.br', 'BIA@xn--caf-dma.com.br', 'bia@cafe\u0301.com.br'])
    t.equal(await refusalOf(invite(email)), 'DUPLICATE', email)
  const signIn = (email: string, password: string) =>
    refusalOf(desk.operate('session sign-in', { email, password }, desk.stranger))
  t.equal(await signIn('bia@café.com.br', 'wrong'), 'UNAUTHORIZED')
  t.equal(await signIn('bia@café.com.br', password), null)
})

t.test('an invitation works once, for 72 hours, unless it is revoked or sent again', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const invite = (email: string) =>
    desk.operate('team invite', { company, email, roles: both('VIEWER') }, ana.by)
  const accept = (token: string) =>
    refusalOf(
      desk.operate(
        'invitations accept',
        { token, name: 'Bia', password: 'cavalo bateria grampo' },
        desk.stranger,
      ),
    )
  await invite('bia@example.com')
  const token = tokenOf(desk.mails, 'bia@example.com')
  t.match(desk.mails.at(-1), { text: { kind: 'INVITATION', hours: 72 } })
  t.match(await desk.operate('invitations read', { token }), {
    companyName: 'Loja Teste',
    inviter: 'ana',
    isKnown: false,
  })
  t.equal(await accept(token), null)
  t.equal(await accept(token), 'LINK_INVALID', 'twice')
  t.equal(await refusalOf(invite('BIA@example.com')), 'DUPLICATE', 'a member already')

  const second = await invite('caio@example.com')
  const first = tokenOf(desk.mails, 'caio@example.com')
  await desk.operate('team resend', { company, id: second.id }, ana.by)
  t.equal(await accept(first), 'LINK_INVALID', 'replaced by a newer link')
  desk.passMs(72 * hourMs)
  t.equal(await accept(tokenOf(desk.mails, 'caio@example.com')), 'LINK_INVALID', 'expired')
  const third = await invite('davi@example.com')
  await desk.operate('team revoke', { company, id: third.id }, ana.by)
  t.equal(await accept(tokenOf(desk.mails, 'davi@example.com')), 'LINK_INVALID', 'revoked')
  t.equal(await accept('x'), 'LINK_INVALID', 'unknown')
  t.equal((await desk.operate('team show', { company })).invitations.length, 0)
})

t.test('one who is known proves the password, and is one person in two companies', async (t) => {
  const desk = openDesk()
  const [one, two] = [await desk.newCompany('Um'), await desk.newCompany('Dois')]
  const ana = await desk.member(one, 'ana@example.com', both('OWNER'))
  await desk.operate('team invite', { company: two, email: 'ana@example.com', roles: both('VIEWER') })
  const token = tokenOf(desk.mails, 'ana@example.com')
  const accept = (password: string) => desk.operate('invitations accept', { token, password }, desk.stranger)
  t.equal(await refusalOf(accept('some other password')), 'PASSWORD_WRONG')
  t.match((await accept('ana@example.com tem senha')).body, { next: 'SECOND_FACTOR', methods: ['totp'] })
  t.equal(desk.directory.people.persons.size, 1)
  const session = await desk.operate('session show', {}, ana.by)
  t.strictSame(
    session.memberships.map(({ companyName }: any) => companyName),
    ['Um', 'Dois'],
  )
})

t.test('roles: only owners touch owners, the last one stays, and nobody changes themselves', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const bia = await desk.member(company, 'bia@example.com', both('ADMIN'))
  const members = async () => (await desk.operate('team show', { company })).members
  const idOf = async (email: string) => (await members()).find((one: any) => one.email === email).id
  const [anaId, biaId] = [await idOf('ana@example.com'), await idOf('bia@example.com')]
  const change = (id: string, roles: object, by: object) =>
    refusalOf(desk.operate('team change', { company, id, roles }, by))
  t.equal(await change(anaId, both('VIEWER'), bia.by), 'NO_PERMISSION', 'an admin cannot change an owner')
  t.equal(await change(biaId, both('VIEWER'), bia.by), 'OWN_REQUEST')
  t.equal(await refusalOf(desk.operate('team remove', { company, id: anaId }, bia.by)), 'NO_PERMISSION')
  t.equal(await refusalOf(desk.operate('team remove', { company, id: anaId }, ana.by)), 'LAST_OWNER')
  t.equal(
    await refusalOf(
      desk.operate('team invite', { company, email: 'c@example.com', roles: both('OWNER') }, bia.by),
    ),
    'NO_PERMISSION',
  )
  t.equal(await change(biaId, { SANDBOX: null, PRODUCTION: null }, ana.by), 'VALIDATION_ERROR')
  t.equal(await change(biaId, both('VIEWER'), ana.by), null)
  const other = await desk.newCompany('Outra')
  t.equal(
    await refusalOf(
      desk.operate('team change', { company: other, id: biaId, roles: both('VIEWER') }, ana.by),
    ),
    'NOT_FOUND',
  )
})

t.test('a role that holds money is given by two, where there are two', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const bia = await desk.member(company, 'bia@example.com', both('VIEWER'))
  const idOf = async (email: string) =>
    (await desk.operate('team show', { company })).members.find((one: any) => one.email === email).id
  const biaId = await idOf('bia@example.com')
  const alone = await desk.operate('team change', { company, id: biaId, roles: both('FINANCE') }, ana.by)
  t.match(alone, { roles: { PRODUCTION: 'FINANCE' }, pendingChange: null }, 'one alone decides alone')

  const caio = await desk.member(company, 'caio@example.com', both('ADMIN'))
  desk.passMs(hourMs)
  const asked = await desk.operate('team change', { company, id: biaId, roles: both('ADMIN') }, ana.by)
  t.match(asked, { roles: { PRODUCTION: 'FINANCE' }, pendingChange: { roles: { PRODUCTION: 'ADMIN' } } })
  const { id } = asked.pendingChange
  t.equal(
    await refusalOf(desk.operate('team change', { company, id: biaId, roles: both('VIEWER') }, ana.by)),
    'CHANGE_PENDING',
  )
  const approve = (by: typeof ana) =>
    desk.operate(
      'team approve',
      { company, id },
      { ...by.by, secondFactor: `totp ${desk.codeOf(by.person)}` },
    )
  t.equal(await refusalOf(approve(ana)), 'OWN_REQUEST')
  t.equal(await refusalOf(approve(bia)), 'OWN_REQUEST', 'nor the one whom it is about')
  t.equal(await refusalOf(desk.operate('team approve', { company, id }, caio.by)), 'SECOND_FACTOR_REQUIRED')
  t.match(await approve(caio), {
    approved: true,
    member: { roles: { PRODUCTION: 'ADMIN' }, pendingChange: null },
  })
  t.equal(await refusalOf(approve(caio)), 'NOT_FOUND', 'it is decided')
})

t.test('wrong passwords slow down further ones, also the right one; a passkey is never locked', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const { person, by } = ana
  const added = await desk.operate('me passkey-options', {}, desk.withCode(ana))
  const clientData = (challenge: string) => ({
    id: 'credential',
    response: { clientDataJSON: Buffer.from(JSON.stringify({ challenge })).toString('base64url') },
  })
  await desk.operate('me add-passkey', { name: 'Telefone', credential: clientData(added.challenge) }, by)
  let tries = 0
  const enter = (password: string) => {
    // Each from an address of its own: those have a limit too.
    const ip = `198.51.100.${++tries}`
    return refusalOf(
      desk.operate('session sign-in', { email: person.email, password }, { ...desk.stranger, ip }),
    )
  }
  const codes = []
  for (let n = 0; n < 12; n++) codes.push(await enter('wrong'))
  t.strictSame(codes.slice(0, 5), Array(5).fill('UNAUTHORIZED'))
  t.strictSame(codes.slice(5), Array(7).fill('TOO_MANY_ATTEMPTS'))
  t.equal(await enter('ana@example.com tem senha'), 'TOO_MANY_ATTEMPTS')
  const { challenge } = await desk.operate('session passkey-options', {}, desk.stranger)
  const entered = await desk.operate('session passkey', { assertion: clientData(challenge) }, desk.stranger)
  t.match(entered.body, { object: 'session', person: { id: person.id } })
  t.equal(
    await refusalOf(desk.operate('session passkey', { assertion: clientData(challenge) }, desk.stranger)),
    'SECOND_FACTOR_INVALID',
    'a challenge counts once',
  )
  desk.passMs(2000)
  t.equal(await enter('ana@example.com tem senha'), null)
})

t.test('twenty tries a minute from one address, those of an IPv6 network together', async (t) => {
  const desk = openDesk()
  const enter = (ip: string) =>
    refusalOf(
      desk.operate(
        'session sign-in',
        { email: `${ip}@example.com`, password: 'x' },
        { ...desk.stranger, ip },
      ),
    )
  for (let n = 0; n < 20; n++) await enter(`2001:db8::${n}`)
  t.equal(await enter('2001:db8::ffff'), 'TOO_MANY_ATTEMPTS')
  t.equal(await enter('2001:db8:0:1::1'), 'UNAUTHORIZED', 'the next network')
  t.equal(await enter('192.0.2.7'), 'UNAUTHORIZED')
  desk.passMs(60_000)
  t.equal(await enter('2001:db8::1'), 'UNAUTHORIZED')
})

t.test(
  'a forgotten password: the same answer for all, one link, and the factor is still asked',
  async (t) => {
    const desk = openDesk()
    const company = await desk.newCompany()
    const { person, by } = await desk.member(company, 'ana@example.com', both('OWNER'))
    const forgot = async (email: string) => {
      const answer = await desk.operate('password forgot', { email }, desk.stranger)
      await new Promise((resolve) => setImmediate(resolve))
      return answer
    }
    const before = desk.mails.length
    t.strictSame(await forgot('unknown@example.com'), await forgot('ANA@example.com'))
    t.equal(desk.mails.length, before + 1)
    for (let n = 0; n < 5; n++) await forgot('ana@example.com')
    t.equal(desk.mails.length, before + 3, 'three mails an hour')
    const token = tokenOf(desk.mails, person.email)
    const reset = (password: string) =>
      refusalOf(desk.operate('password reset', { token, password }, desk.stranger))
    t.equal(await reset('Password1234'), 'PASSWORD_TOO_COMMON', 'which costs no link')
    t.equal(await reset('grampo bateria cavalo'), null)
    t.equal(await reset('grampo bateria cavalo'), 'LINK_INVALID')
    t.notOk(desk.sessions.byId.has(by.sessionId!), 'all sessions have ended')
    const half = await desk.operate(
      'session sign-in',
      { email: person.email, password: 'grampo bateria cavalo' },
      desk.stranger,
    )
    t.equal(half.body.next, 'SECOND_FACTOR')
    desk.passMs(hourMs)
    await forgot('ana@example.com')
    const late = tokenOf(desk.mails, person.email)
    desk.passMs(30 * 60_000)
    t.equal(
      await refusalOf(
        desk.operate('password reset', { token: late, password: 'cavalo bateria grampo' }, desk.stranger),
      ),
      'LINK_INVALID',
    )
  },
)

t.test('a factor that others reset freezes confirmations for a day', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const bia = await desk.member(company, 'bia@example.com', both('FINANCE'))
  const idOf = async (email: string) =>
    (await desk.operate('team show', { company })).members.find((one: any) => one.email === email).id
  const reset = (id: string, by: object) =>
    refusalOf(desk.operate('team reset-second-factor', { company, id }, by))
  t.equal(await reset(await idOf('ana@example.com'), ana.by), 'OWN_REQUEST')
  t.equal(await reset(await idOf('bia@example.com'), ana.by), null)
  t.notOk(desk.sessions.byId.has(bia.by.sessionId!))
  t.ok(desk.mails.some(({ to, text }) => to === 'ana@example.com' && text.kind === 'FACTOR_RESET'))
  const half = await desk.operate(
    'session sign-in',
    { email: 'bia@example.com', password: 'bia@example.com tem senha' },
    desk.stranger,
  )
  t.equal(half.body.next, 'ENROL', 'a new factor is added at the next sign-in')
  const by = desk.askerOf(half)
  t.equal(
    await refusalOf(desk.confirm({ ...by, secondFactor: 'totp 000000', digest: 'd' } as never)),
    'FACTOR_FROZEN',
  )
  desk.passMs(24 * hourMs + 1)
  t.equal(
    await refusalOf(desk.confirm({ ...by, secondFactor: null, digest: 'd' } as never)),
    'SECOND_FACTOR_REQUIRED',
  )
  const other = await desk.newCompany('Outra')
  await desk.operate('team invite', { company: other, email: 'bia@example.com', roles: both('VIEWER') })
  await desk.operate(
    'invitations accept',
    { token: tokenOf(desk.mails, 'bia@example.com'), password: 'bia@example.com tem senha' },
    desk.stranger,
  )
  t.equal(
    await reset(await idOf('bia@example.com'), ana.by),
    'INVALID_STATE',
    'a person of another company too is for the operator',
  )
  t.equal(await refusalOf(desk.operate('people reset-second-factor', { id: 'bia@example.com' })), null)
})

t.test('ten wrong codes lock codes for an hour, and the person is told', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const { person, by } = await desk.member(company, 'ana@example.com', both('OWNER'))
  const stepUp = (totp: string) => refusalOf(desk.operate('session step-up', { totp }, by))
  for (let n = 0; n < 10; n++) {
    t.equal(await stepUp('000000'), 'SECOND_FACTOR_INVALID')
    desk.passMs(5 * 60_000)
  }
  t.equal(await stepUp(desk.codeOf(person)), 'TOO_MANY_ATTEMPTS')
  t.ok(desk.mails.some(({ text }) => text.kind === 'CODES_LOCKED'))
  desk.passMs(hourMs)
  t.equal(await stepUp(desk.codeOf(person)), null)
})

t.test('wrong recovery codes count with those of the app', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const { person } = await desk.member(company, 'ana@example.com', both('OWNER'))
  const give = async (factor: object): Promise<string | null> => {
    const half = await desk.operate(
      'session sign-in',
      { email: person.email, password: `${person.email} tem senha` },
      { ...desk.stranger, ip: `192.0.2.${desk.now() % 200}` },
    )
    return refusalOf(desk.operate('session factor', factor, desk.askerOf(half)))
  }
  for (let n = 0; n < 10; n++) {
    t.equal(await give(n < 9 ? { totp: '000000' } : { recoveryCode: 'wrong' }), 'SECOND_FACTOR_INVALID')
    desk.passMs(5 * 60_000)
  }
  t.equal(await give({ totp: desk.codeOf(person) }), 'TOO_MANY_ATTEMPTS')
  t.ok(desk.mails.some(({ text }) => text.kind === 'CODES_LOCKED'))
})

t.test('the code that adds an app counts once, however many send it', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const { secret } = await desk.operate('me totp', {}, desk.withCode(ana))
  // Of the same half minute as that of the former app, which has just confirmed it.
  const code = codeAt(fromBase32(secret), Math.floor(desk.now() / 30_000))
  const confirm = () => refusalOf(desk.operate('me totp-confirm', { code }, ana.by))
  t.strictSame((await Promise.all([confirm(), confirm()])).toSorted(), ['SECOND_FACTOR_INVALID', null])
})

t.test('a change of password ends the other sessions, and needs the present one', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const { person, by } = await desk.member(company, 'ana@example.com', both('OWNER'))
  const half = await desk.operate(
    'session sign-in',
    { email: person.email, password: `${person.email} tem senha` },
    desk.stranger,
  )
  const other = desk.askerOf(half)
  const change = (current: string, next: string) => desk.operate('me password', { current, new: next }, by)
  t.equal(await refusalOf(change('wrong', 'cavalo bateria grampo')), 'PASSWORD_WRONG')
  t.equal(
    await refusalOf(change(`${person.email} tem senha`, 'lojateste2026!!')),
    'PASSWORD_TOO_COMMON',
    'the company’s name',
  )
  const done = await change(`${person.email} tem senha`, 'cavalo bateria grampo')
  t.notOk(desk.sessions.byId.has(other.sessionId!))
  t.equal(desk.askerOf(done).sessionId, by.sessionId, 'the same session has a new secret')
})

t.test('the last second factor stays', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  await desk.operate('team invite', { company, email: 'ana@example.com', roles: both('OWNER') })
  const half = await desk.operate(
    'invitations accept',
    { token: tokenOf(desk.mails, 'ana@example.com'), name: 'Ana', password: 'cavalo bateria grampo' },
    desk.stranger,
  )
  const by = desk.askerOf(half)
  const { challenge } = await desk.operate('me passkey-options', {}, by)
  const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url')
  const added = await desk.operate(
    'me add-passkey',
    { name: 'Chave', credential: { id: 'c', response: { clientDataJSON } } },
    by,
  )
  t.equal(added.body.codes.length, 10, 'the first factor brings recovery codes')
  const { id } = added.body.person.passkeys[0]
  t.equal(await refusalOf(desk.operate('me remove-passkey', { id }, by)), 'INVALID_STATE')
})

t.test('a person has ten sessions, and the oldest ends', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const { person, by } = await desk.member(company, 'ana@example.com', both('OWNER'))
  for (let n = 0; n < 10; n++) {
    desk.passMs(1000)
    await desk.operate(
      'session sign-in',
      { email: person.email, password: `${person.email} tem senha` },
      { ...desk.stranger, ip: `192.0.2.${n}` },
    )
  }
  t.equal(desk.sessions.byId.size, 10)
  t.notOk(desk.sessions.byId.has(by.sessionId!))
})
