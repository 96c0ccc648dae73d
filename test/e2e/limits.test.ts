import t from 'tap'
import { startMailServer } from './mail-server.ts'
import { oneWorker, until } from './service.ts'
import { secondFactor } from './sign-in-directly.ts'
import { shareService } from './stories.ts'

const admin = { SANDBOX: 'ADMIN', PRODUCTION: 'ADMIN' } as const
const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const

const mail = await startMailServer(t)
const { story } = shareService(t, { env: { ...oneWorker, MAIL_URL: mail.url } })

story(
  'two people change the limits, each with a factor for this very operation',
  { people: [{ roles: admin }, { roles: admin }] },
  async (t, { members }) => {
    const [ana, bia] = members.map(({ call }) => call) as [
      (typeof members)[0]['call'],
      (typeof members)[0]['call'],
    ]
    const { object: _, usage, pending, ...limits } = (await ana('GET', '/v1/company/limits')).body
    t.strictSame([usage.pixDayAmount, pending], ['0', []])
    const path = '/v1/company/limits'
    const wanted = { ...limits, pixDayAmount: '99000000', pixNightAmount: '100' }

    t.match(await ana('PUT', path, wanted), { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } })
    const spoilt = { 'Service-Second-Factor': `passkey ${Buffer.from('{}').toString('base64url')}` }
    t.match(await ana('PUT', path, wanted, spoilt), { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } })
    t.match((await ana('GET', path)).body, limits, 'nothing has changed')
    t.match(await ana('PUT', path, { ...wanted, pixDayAmount: -1 }, secondFactor), { status: 400 })

    const set = await ana('PUT', path, wanted, secondFactor)
    t.match(set, {
      status: 200,
      body: {
        pixDayAmount: limits.pixDayAmount,
        pixNightAmount: '100',
        pending: [{ field: 'pixDayAmount', amount: '99000000', effectiveAt: null }],
      },
    })
    const { changeId } = set.body.pending[0]
    const change = `/v1/company/changes/${changeId}`
    // What would be refused asks for no factor: none is used up.
    t.match(await ana('POST', `${change}/approve`, {}), { status: 403, body: { code: 'OWN_REQUEST' } })
    t.match(await ana('PUT', path, { ...wanted, tedDayAmount: '99000000' }), {
      status: 409,
      body: { code: 'CHANGE_PENDING', existingId: changeId },
    })
    t.match(await bia('POST', '/v1/company/changes/chg_0/approve', {}), { status: 404 })
    t.match(await bia('POST', `${change}/approve`, {}), {
      status: 403,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    })
    t.match(await bia('POST', `${change}/approve`, {}, secondFactor), {
      status: 200,
      body: { status: 'SCHEDULED' },
    })

    await ana('POST', '/v1/sandbox/clock/advance', { by: 'PT24H' })
    t.match((await ana('GET', path)).body, { pixDayAmount: '99000000', pending: [] })
    t.match((await bia('GET', '/v1/company/changes')).body.data, [
      { id: changeId, status: 'EFFECTIVE', fields: [{ field: 'pixDayAmount', after: '99000000' }] },
    ])

    const told = (await bia('GET', '/v1/notifications')).body.data
      .filter(({ kind }: any) => kind === 'LIMIT_CHANGED')
      .map(({ details }: any) => details.stage)
    t.strictSame(told.toSorted(), ['APPROVED', 'CHANGED', 'EFFECTIVE', 'REQUESTED'])
    const sentence = 'Aumento de limite aprovado por Ana Souza'
    await until(async () => mail.messages.some(({ text }) => text.includes(`${sentence}.`)))

    const acts = (await ana('GET', '/v1/audit?pageSize=200')).body.data
      .filter(({ action }: any) => /Limits|Change/.test(action))
      .map(({ action, actor, result, code }: any) => [action, actor.id, result, code])
    t.strictSame(acts, [
      ['approveControlChange', members[1]!.personId, 'DONE', null],
      ['setLimits', members[0]!.personId, 'DONE', null],
      ['setLimits', members[0]!.personId, 'REFUSED', 'SECOND_FACTOR_INVALID'],
    ])
  },
)

story(
  'a policy is set as a whole, and a lone owner waits a day',
  { people: [{ roles: owner }] },
  async (t, { members }) => {
    const { call } = members[0]!
    const path = '/v1/company/approval-policy'
    const { object: _, pending: __, ...policy } = (await call('GET', path)).body
    t.strictSame(policy, {
      enabled: true,
      thresholdAmount: '500000',
      personDailyAmount: '2000000',
      newBeneficiaryAmount: '100000',
      required: 1,
      expiresAfterHours: 72,
    })
    t.match(await call('PUT', path, { required: 2 }, secondFactor), { status: 400 })
    const set = await call('PUT', path, { ...policy, required: 2, enabled: false }, secondFactor)
    t.match(set, {
      status: 200,
      body: { required: 2, enabled: true, pending: [{ field: 'enabled', value: 'false', amount: null }] },
    })
    t.ok(set.body.pending[0].effectiveAt)
  },
)
