import t from 'tap'
import { codeAt } from '../../../../gateway/identity/totp.ts'
import { fromBase32 } from '../../../e2e/person.ts'
import { openDesk, refusalOf, tokenOf } from './desk.ts'

/** One check of passwords, and what dies with the credentials that it hangs on (dashboard, sections 1.2 to 1.4). */

const minuteMs = 60_000
const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
const viewer = { SANDBOX: 'VIEWER', PRODUCTION: 'VIEWER' } as const

type Desk = ReturnType<typeof openDesk>
type Member = Awaited<ReturnType<Desk['member']>>

const withOwner = async () => {
  const desk = openDesk()
  const company = await desk.newCompany()
  return { desk, company, ana: await desk.member(company, 'ana@example.com', owner) }
}

const rightPassword = 'ana@example.com tem senha'

/** Each place where the password of a person is asked, tried from an address of its own each time. */
const doorsOf = async ({ desk, ana }: { desk: Desk; ana: Member }) => {
  const other = await desk.newCompany('Outra Empresa')
  await desk.operate('team invite', { company: other, email: ana.person.email, roles: viewer })
  const token = tokenOf(desk.mails, ana.person.email)
  let tries = 0
  const from = (by: object) => ({ ...by, ip: `2001:db8:${(++tries).toString(16)}::1` })
  return {
    'session sign-in': (password: string) =>
      desk.operate('session sign-in', { email: ana.person.email, password }, from(desk.stranger)),
    'invitations accept': (password: string) =>
      desk.operate('invitations accept', { token, password }, from(desk.stranger)),
    'me password': (password: string) =>
      desk.operate('me password', { current: password, new: 'grampo bateria cavalo' }, from(ana.by)),
  }
}

const doors = ['session sign-in', 'invitations accept', 'me password'] as const

for (const door of doors)
  t.test(`${door}: a guesser is slowed down, one after the other and all at once`, async (t) => {
    const { desk, ana } = await withOwner()
    const open = await doorsOf({ desk, ana })
    const codes: (string | null)[] = []
    for (let n = 0; n < 12; n++) codes.push(await refusalOf(open[door]('wrong')))
    const wrong = door === 'session sign-in' ? 'UNAUTHORIZED' : 'PASSWORD_WRONG'
    t.strictSame(codes, [...Array(5).fill(wrong), ...Array(7).fill('TOO_MANY_ATTEMPTS')])
    t.equal(await refusalOf(open[door](rightPassword)), 'TOO_MANY_ATTEMPTS', 'also the right one')
    desk.passMs(16 * minuteMs)
    const atOnce = await Promise.all(Array.from({ length: 50 }, () => refusalOf(open[door]('wrong'))))
    t.equal(
      atOnce.filter((code) => code === wrong).length,
      1,
      'fifty at once get one try, as after a failure',
    )
    desk.passMs(16 * minuteMs)
    t.equal(await refusalOf(open[door](rightPassword)), null)
  })

t.test('failures count together wherever they are made', async (t) => {
  for (const tried of doors)
    for (const next of doors) {
      const { desk, ana } = await withOwner()
      const open = await doorsOf({ desk, ana })
      for (let n = 0; n < 5; n++) await refusalOf(open[tried]('wrong'))
      t.equal(await refusalOf(open[next](rightPassword)), 'TOO_MANY_ATTEMPTS', `${tried}, then ${next}`)
    }
})

t.test(
  'of many at once with the right password none is refused, and a failure in between counts',
  async (t) => {
    const { desk, ana } = await withOwner()
    const open = await doorsOf({ desk, ana })
    const tries = Array.from({ length: 9 }, () => refusalOf(open['session sign-in'](rightPassword)))
    t.strictSame(await Promise.all(tries), Array(9).fill(null))
    t.equal(desk.sessions.attempts.size, 0, 'nothing is left to be remembered')
    for (let n = 0; n < 3; n++) await refusalOf(open['session sign-in']('wrong'))
    t.equal(await refusalOf(open['session sign-in'](rightPassword)), null)
    const [counted] = desk.sessions.attempts.values()
    t.match(counted, { inRow: 0, recentMs: { length: 3 } }, 'those of the hour')
  },
)

t.test('a failure is in the audit log, once a minute and reason, whichever door it was at', async (t) => {
  for (const door of doors) {
    const { desk, ana } = await withOwner()
    const open = await doorsOf({ desk, ana })
    for (let n = 0; n < 8; n++) await refusalOf(open[door]('wrong'))
    await new Promise((resolve) => setImmediate(resolve))
    const refused = [...desk.sessions.acts.values()].filter(({ draft }) => draft.result === 'REFUSED')
    t.strictSame(
      refused.map(({ draft }) => draft.code),
      [door === 'session sign-in' ? 'UNAUTHORIZED' : 'PASSWORD_WRONG', 'TOO_MANY_ATTEMPTS'],
      door,
    )
    t.ok(refused.every(({ draft }) => draft.object?.id === ana.person.id))
  }
})

t.test('one address gets twenty tries a minute at all doors together', async (t) => {
  const { desk } = await withOwner()
  for (let n = 0; n < 20; n++)
    await refusalOf(
      desk.operate('session sign-in', { email: `${n}@example.com`, password: 'x' }, desk.stranger),
    )
  const company = await desk.newCompany('Outra')
  await desk.operate('team invite', { company, email: 'nova@example.com', roles: viewer })
  const token = tokenOf(desk.mails, 'nova@example.com')
  const accept = { token, name: 'Nova', password: 'cavalo bateria grampo' }
  t.equal(await refusalOf(desk.operate('invitations accept', accept, desk.stranger)), 'TOO_MANY_ATTEMPTS')
})

const forgot = async (desk: Desk, email: string): Promise<string> => {
  await desk.operate('password forgot', { email }, desk.stranger)
  await new Promise((resolve) => setImmediate(resolve))
  return tokenOf(desk.mails, email)
}

const reset = (desk: Desk, token: string, password = 'grampo bateria cavalo') =>
  refusalOf(desk.operate('password reset', { token, password }, desk.stranger))

/** Sends the link for a new address, as a thief who has a session and a code of a moment ago would have. */
const askForAddress = async (desk: Desk, ana: Member, email: string): Promise<string> => {
  desk.passMs(minuteMs)
  await desk.operate('me update', { email }, desk.withCode(ana))
  return tokenOf(desk.mails, email)
}

const confirmAddress = (desk: Desk, token: string) =>
  refusalOf(desk.operate('me confirm-email', { token }, desk.stranger))

t.test('a sign-in that a new password overtakes opens nothing', async (t) => {
  const { desk, ana } = await withOwner()
  const link = await forgot(desk, ana.person.email)
  desk.setWhileComparing(() => reset(desk, link))
  const half = await desk.operate(
    'session sign-in',
    { email: ana.person.email, password: rightPassword },
    desk.stranger,
  )
  const by = desk.askerOf(half)
  desk.passMs(minuteMs)
  const factor = { totp: desk.codeOf(ana.person) }
  t.equal(await refusalOf(desk.operate('session factor', factor, by)), 'UNAUTHORIZED')
})

t.test('an older link for a password dies with a newer one, asked for or used', async (t) => {
  const { desk, ana } = await withOwner()
  const first = await forgot(desk, ana.person.email)
  const second = await forgot(desk, ana.person.email)
  t.equal(await reset(desk, first), 'LINK_INVALID')
  t.equal(await reset(desk, second), null)
  t.equal(await reset(desk, first), 'LINK_INVALID')
  t.equal(desk.sessions.links.size, 0)
  const third = await forgot(desk, ana.person.email)
  const used = await Promise.all([reset(desk, third), reset(desk, third, 'outra bateria cavalo')])
  t.strictSame(used.toSorted(), ['LINK_INVALID', null], 'of two at once one counts')
})

/** What a person, an admin or an operator does about credentials that were stolen. */
const remedies: readonly (readonly [
  string,
  (desk: Desk, ana: Member, company: string) => Promise<unknown>,
])[] = [
  ['a reset of the password', async (desk, ana) => reset(desk, await forgot(desk, ana.person.email))],
  [
    'a change of the password',
    (desk, ana) =>
      desk.operate('me password', { current: rightPassword, new: 'grampo bateria cavalo' }, ana.by),
  ],
  ['new recovery codes', (desk, ana) => desk.operate('me recovery-codes', {}, ana.by)],
  [
    'another app',
    async (desk, ana) => {
      const { secret } = await desk.operate('me totp', {}, desk.withCode(ana))
      const code = codeAt(fromBase32(secret), Math.floor(desk.now() / 30_000))
      await desk.operate('me totp-confirm', { code }, ana.by)
    },
  ],
  [
    'a passkey',
    async (desk, ana) => {
      const { challenge } = await desk.operate('me passkey-options', {}, desk.withCode(ana))
      const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url')
      await desk.operate(
        'me add-passkey',
        { name: 'Chave', credential: { id: 'c', response: { clientDataJSON } } },
        ana.by,
      )
    },
  ],
  ['the end of the other sessions', (desk, ana) => desk.operate('me end-others', {}, ana.by)],
  [
    'a reset of the factors at the command line',
    (desk, ana) => desk.operate('people reset-second-factor', { id: ana.person.email }),
  ],
  [
    'an admin who ends the sessions',
    async (desk, ana, company) => {
      const { members } = await desk.operate('team show', { company })
      const { id } = members.find(({ personId }: any) => personId === ana.person.id)
      await desk.operate('team end-sessions', { company, id })
    },
  ],
]

for (const [title, remedy] of remedies)
  t.test(`${title} leaves nothing that hung on what was before`, async (t) => {
    const { desk, ana, company } = await withOwner()
    const link = await forgot(desk, ana.person.email)
    const address = await askForAddress(desk, ana, 'ladrao@example.com')
    const half = await desk.operate(
      'session sign-in',
      { email: ana.person.email, password: rightPassword },
      desk.stranger,
    )
    const thief = desk.askerOf(half)
    desk.passMs(minuteMs)
    await desk.operate('session factor', { totp: desk.codeOf(ana.person) }, thief)
    desk.passMs(minuteMs)
    const { secret } = await desk.operate('me totp', {}, desk.withCode({ ...ana, by: thief }))
    await desk.operate('session challenge', {}, ana.by)
    await remedy(desk, ana, company)
    t.equal(await reset(desk, link), 'LINK_INVALID', 'a link for a password')
    t.equal(await confirmAddress(desk, address), 'LINK_INVALID', 'a new address')
    t.notOk(desk.sessions.byId.has(thief.sessionId!), 'another session')
    const code = codeAt(fromBase32(secret), Math.floor(desk.now() / 30_000) + 1)
    t.equal(
      await refusalOf(desk.operate('me totp-confirm', { code }, thief)),
      'UNAUTHORIZED',
      'a pending app',
    )
    t.notOk(
      [...desk.sessions.challenges.values()].some(({ personId }) => personId === ana.person.id),
      'a challenge',
    )
    t.ok([...desk.sessions.byId.values()].every(({ sealedPendingTotp }) => sealedPendingTotp === null))
  })

t.test('an app that somebody began to add in the same session is forgotten, too', async (t) => {
  const { desk, ana } = await withOwner()
  const { secret } = await desk.operate('me totp', {}, desk.withCode(ana))
  await desk.operate('me end-others', {}, ana.by)
  const code = codeAt(fromBase32(secret), Math.floor(desk.now() / 30_000))
  t.equal(await refusalOf(desk.operate('me totp-confirm', { code }, ana.by)), 'INVALID_STATE')
})

t.test('a crash before anything is said of sessions leaves nothing that works', async (t) => {
  for (const credential of ['password', 'factor'] as const) {
    const { desk, ana } = await withOwner()
    const link = await forgot(desk, ana.person.email)
    const address = await askForAddress(desk, ana, 'ladrao@example.com')
    desk.loseSessionFacts()
    if (credential === 'password')
      await desk
        .operate('me password', { current: rightPassword, new: 'grampo bateria cavalo' }, ana.by)
        .catch(() => undefined)
    else await desk.operate('people reset-second-factor', { id: ana.person.email }).catch(() => undefined)
    desk.keepSessionFacts()
    t.ok(desk.sessions.byId.has(ana.by.sessionId!), 'its end was never stored')
    t.equal(desk.sessions.links.size, 2)
    t.equal(await reset(desk, link), 'LINK_INVALID')
    t.equal(await confirmAddress(desk, address), 'LINK_INVALID')
    t.equal(await refusalOf(desk.operate('session show', {}, ana.by)), 'UNAUTHORIZED')
  }
})

t.test('a new address is told to the present one when it is asked for and when it counts', async (t) => {
  const { desk, ana } = await withOwner()
  const link = await forgot(desk, ana.person.email)
  const before = desk.mails.length
  const first = await askForAddress(desk, ana, 'um@example.com')
  t.match(desk.mails.slice(before), [
    { to: 'um@example.com', text: { kind: 'EMAIL_CHANGE' } },
    { to: 'ana@example.com', text: { kind: 'EMAIL_CHANGE_ASKED', email: 'um@example.com' } },
  ])
  const second = await askForAddress(desk, ana, 'dois@example.com')
  t.equal(await confirmAddress(desk, first), 'LINK_INVALID', 'replaced')
  const used = await Promise.all([confirmAddress(desk, second), confirmAddress(desk, second)])
  t.strictSame(used.toSorted(), ['LINK_INVALID', null])
  t.match(desk.mails.at(-1), { to: 'ana@example.com', text: { kind: 'EMAIL_CHANGED' } })
  t.equal(await reset(desk, link), 'LINK_INVALID', 'what went to the former address')
  t.equal(await refusalOf(desk.operate('session show', {}, ana.by)), null, 'the sessions stay')
})

t.test('a further factor and a new address are confirmed by a factor that the person has', async (t) => {
  const { desk, ana } = await withOwner()
  const asks: readonly (readonly [string, object])[] = [
    ['me totp', {}],
    ['me passkey-options', {}],
    ['me update', { email: 'nova@example.com' }],
  ]
  for (const [operation, input] of asks) {
    t.equal(await refusalOf(desk.operate(operation, input, ana.by)), 'SECOND_FACTOR_REQUIRED', operation)
    const wrong = { ...ana.by, secondFactor: 'totp 000000' }
    t.equal(await refusalOf(desk.operate(operation, input, wrong)), 'SECOND_FACTOR_INVALID', operation)
    desk.passMs(minuteMs)
    t.equal(await refusalOf(desk.operate(operation, input, desk.withCode(ana))), null, operation)
  }
  t.equal(
    await refusalOf(desk.operate('me update', { name: 'Ana Maria' }, ana.by)),
    null,
    'a name needs none',
  )
  const same = { email: 'ANA@example.com', theme: 'DARK' }
  t.equal(await refusalOf(desk.operate('me update', same, ana.by)), null, 'nor what stays')
})

t.test('one whose factor was reset changes no address before it counts again', async (t) => {
  const { desk, ana } = await withOwner()
  await desk.operate('people reset-second-factor', { id: ana.person.email })
  const half = await desk.operate(
    'session sign-in',
    { email: ana.person.email, password: rightPassword },
    desk.stranger,
  )
  const by = desk.askerOf(half)
  t.equal(await refusalOf(desk.operate('me update', { email: 'x@example.com' }, by)), 'FACTOR_FROZEN')
  t.equal(await refusalOf(desk.operate('me totp', {}, by)), null, 'a first factor is added')
  const link = await forgot(desk, ana.person.email)
  t.equal(await reset(desk, link), null)
  const now = desk.directory.people.persons.get(ana.person.id)!
  t.ok(now.factorFrozenUntilMs! > desk.now(), 'a new password ends no freeze')
})

t.test('wrong recovery codes at once get no more tries than one after the other', async (t) => {
  const { desk, ana } = await withOwner()
  const enter = async () =>
    desk.askerOf(
      await desk.operate(
        'session sign-in',
        { email: ana.person.email, password: rightPassword },
        desk.stranger,
      ),
    )
  const by = await enter()
  const give = (recoveryCode: string) => refusalOf(desk.operate('session factor', { recoveryCode }, by))
  const codes = await Promise.all(Array.from({ length: 30 }, (_, n) => give(`wrong ${n}`)))
  t.equal(codes.filter((code) => code === 'SECOND_FACTOR_INVALID').length, 5)
  t.equal(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS').length, 25)
  t.equal(await give(ana.codes[0]!), 'TOO_MANY_ATTEMPTS')
  desk.passMs(4 * minuteMs + minuteMs - 1)
  const again = await enter()
  desk.passMs(1)
  const one = () => refusalOf(desk.operate('session factor', { recoveryCode: ana.codes[0] }, again))
  t.strictSame((await Promise.all([one(), one()])).toSorted(), ['SECOND_FACTOR_INVALID', null])
})

t.test('wrong codes of an app that is being added are counted with all others', async (t) => {
  const { desk, ana } = await withOwner()
  await desk.operate('me totp', {}, desk.withCode(ana))
  const confirm = () => refusalOf(desk.operate('me totp-confirm', { code: '000000' }, ana.by))
  const codes = await Promise.all(Array.from({ length: 20 }, confirm))
  t.equal(codes.filter((code) => code === 'SECOND_FACTOR_INVALID').length, 5)
  t.equal(
    await refusalOf(desk.operate('session step-up', { totp: desk.codeOf(ana.person) }, ana.by)),
    'TOO_MANY_ATTEMPTS',
  )
})
