import t, { type Test } from 'tap'
import { addDays, dateIn } from '../../engine/shared/calendar.ts'
import { enrol, openBrowser } from './person.ts'
import { oneWorker, type Service, until } from './service.ts'
import { secondFactor } from './sign-in-directly.ts'
import { type StoryWorld, shareService } from './stories.ts'

// No person makes a second one for what they want alone (dashboard, sections 2.3 and 2.4).

type RoleName = 'OWNER' | 'ADMIN' | 'FINANCE' | 'VIEWER'
const both = (role: RoleName) => ({ SANDBOX: role, PRODUCTION: role })
const production = { 'Service-Environment': 'PRODUCTION' }
const zone = 'America/Sao_Paulo'

/**
 * The token of an invitation: of the link in its answer where the service sends no mail, or else of the nth that it prints in place of a mail to
 * that address.
 */
const tokenOf = async (service: Service, { link, email }: any, nth = 1): Promise<string> => {
  if (link !== null) return link.split('#')[1]
  const tokens = (): readonly string[] =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes(`"to":"${email}"`))
      .flatMap((line) => /#([\w-]{43})/.exec(line)?.[1] ?? [])
  await until(async () => tokens().length >= nth)
  return tokens()[nth - 1]!
}

const { story: storyIn } = shareService(t, { env: oneWorker })

/** A story of a company with people of these roles, and money in its Sandbox. */
const story = (
  title: string,
  names: readonly RoleName[],
  tell: (t: Test, of: Awaited<ReturnType<typeof withMoney>>) => Promise<unknown>,
): void =>
  storyIn(title, { people: names.map((role) => ({ roles: both(role) })) }, async (t, world) =>
    tell(t, await withMoney(world)),
  )

const withMoney = async ({ service, company, members }: StoryWorld) => {
  const [ana] = members
  await ana!.call('POST', '/v1/sandbox/pix/received', { amount: 5_000_000 })
  const clock = async () => Date.parse((await ana!.call('GET', '/v1/sandbox/clock')).body.now)
  const advance = (step: object) => ana!.call('POST', '/v1/sandbox/clock/advance', step)
  await advance({ to: `${addDays(dateIn(zone, await clock()), 1)}T10:00:00-03:00` })
  const team = async () => (await ana!.call('GET', '/v1/team', undefined, production)).body
  const memberOf = async (personId: string) =>
    (await team()).members.find((member: any) => member.personId === personId)
  /** A beneficiary that has cooled off and was paid before. */
  const known = async (): Promise<string> => {
    const bank = { bankCode: '341', branch: '1234', account: '1', accountType: 'CHECKING' }
    const body = { name: 'Comercial Aurora Ltda', document: '11444777000161', ...bank }
    const { id } = (await ana!.call('POST', '/v1/beneficiaries', body, secondFactor)).body
    await advance({ by: 'PT24H' })
    const paid = await ana!.call(
      'POST',
      '/v1/transfers',
      { kind: 'PIX', beneficiaryId: id, amount: 1 },
      secondFactor,
    )
    await until(
      async () => (await ana!.call('GET', `/v1/transfers/${paid.body.id}`)).body.status === 'COMPLETED',
    )
    return id
  }
  return { service, company, members, clock, advance, team, memberOf, known }
}

story(
  'an admin who invites a second address of their own approves nothing with it',
  ['ADMIN', 'ADMIN'],
  async (t, { service, company, members, team, known }) => {
    const [ana, bia] = members
    const beneficiaryId = await known()
    const created = await ana!.call(
      'POST',
      '/v1/transfers',
      { kind: 'PIX', beneficiaryId, amount: 600_000 },
      secondFactor,
    )
    t.match(created.body, { status: 'PENDING_APPROVAL' })

    const body = { email: 'zoe@example.com', roles: both('FINANCE') }
    const invited = await ana!.call('POST', '/v1/team/invitations', body)
    const change = { memberId: null, invitationId: invited.body.id, requestedBy: ana!.personId }
    t.match(invited, { status: 201, body: { pendingChange: { ...change, mayApprove: false } } })
    const zoe = await enrol(service, `#${await tokenOf(service, invited.body)}`, 'zoe@example.com', 'Zoe')
    t.match((await zoe.browser.call('GET', '/v1/session')).body.memberships, [
      { roles: { SANDBOX: 'FINANCE', PRODUCTION: null } },
    ])
    const ask = async (path: string) => zoe.browser.at(company.id).call('POST', path, {})
    const approve = `/v1/transfers/${created.body.id}/approve`
    const tooNew = { status: 403, body: { code: 'NO_PERMISSION', detail: /after this was requested/ } }
    t.match(await ask(approve), tooNew, 'made for what waits')
    const there = zoe.browser.at(company.id, 'PRODUCTION')
    t.match(await there.call('GET', '/v1/transfers'), { status: 403 }, 'no role yet where money is real')

    const { id } = (await team()).members.at(-1).pendingChange
    const path = `/v1/team/changes/${id}/approve`
    t.match(await ana!.call('POST', path, {}, secondFactor), {
      status: 403,
      body: { code: 'OWN_REQUEST' },
    })
    t.match(await ask(path), {
      status: 403,
      body: { code: 'NO_PERMISSION' },
    })
    const notices = (await bia!.call('GET', '/v1/notifications', undefined, production)).body.data
    t.match(
      notices.filter(({ kind }: any) => kind === 'ROLE_PENDING'),
      [{ objectId: id, details: { name: 'zoe@example.com', role: 'FINANCE' } }],
    )
    t.match(await bia!.call('POST', path, {}), {
      status: 403,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    })
    t.match(await bia!.call('POST', path, {}, secondFactor), {
      status: 200,
      body: { approved: true, invitation: null, member: { roles: both('FINANCE'), pendingChange: null } },
    })
    t.match(await there.call('GET', '/v1/transfers'), { status: 200 }, 'from the next request on')
    await until(async () => (await ask(approve)).body.code === 'SECOND_FACTOR_REQUIRED')
  },
)

story(
  'a change is decided before the invitation is accepted, and ends with it',
  ['OWNER', 'ADMIN'],
  async (t, { service, members, team }) => {
    const [ana, bia] = members
    const invite = async (email: string) =>
      (await ana!.call('POST', '/v1/team/invitations', { email, roles: both('ADMIN') })).body
    const decide = (word: string, id: string) =>
      bia!.call('POST', `/v1/team/changes/${id}/${word}`, {}, secondFactor)
    const accept = async (invitation: object, nth = 1) =>
      openBrowser(service.origin).call('POST', '/v1/invitations/accept', {
        token: await tokenOf(service, invitation, nth),
        name: 'Nova',
        password: 'cavalo bateria grampo correto',
      })
    const one = await invite('um@example.com')
    t.match(await decide('approve', one.pendingChange.id), {
      status: 200,
      body: { member: null, invitation: { id: one.id, pendingChange: null } },
    })
    t.equal((await accept(one)).status, 200)
    t.match((await team()).members.at(-1), {
      email: 'um@example.com',
      roles: both('ADMIN'),
      pendingChange: null,
    })

    const two = await invite('dois@example.com')
    t.match(await decide('reject', two.pendingChange.id), {
      status: 200,
      body: { approved: false, invitation: null },
    })
    t.match(await accept(two), { status: 410 }, 'rejected')

    const three = await invite('tres@example.com')
    await ana!.call('DELETE', `/v1/team/invitations/${three.id}`)
    t.match(await decide('approve', three.pendingChange.id), { status: 404 }, 'revoked')

    const four = await invite('quatro@example.com')
    t.match(await decide('approve', four.pendingChange.id), { status: 200 })
    const again = await ana!.call('POST', `/v1/team/invitations/${four.id}/resend`, {})
    t.match(again.body, { pendingChange: { requestedBy: ana!.personId } }, 'sent again it is asked for anew')
    t.match(await accept(four, 1), { status: 410 })
    t.equal((await accept(again.body, 2)).status, 200)
    t.match((await team()).members.at(-1), { roles: { SANDBOX: 'ADMIN', PRODUCTION: null } })
  },
)

story(
  'what a person asked for ends with the power to ask for it',
  ['OWNER', 'ADMIN', 'ADMIN', 'VIEWER'],
  async (t, { service, members, memberOf, team }) => {
    const [ana, bia, caio, vera] = members
    const invited = (
      await bia!.call('POST', '/v1/team/invitations', { email: 'x@example.com', roles: both('VIEWER') })
    ).body
    const { id } = await memberOf(vera!.personId)
    const changed = await bia!.call('PATCH', `/v1/team/${id}`, { roles: both('FINANCE') })
    const change = changed.body.pendingChange
    const lowered = await ana!.call('PATCH', `/v1/team/${(await memberOf(bia!.personId)).id}`, {
      roles: both('VIEWER'),
    })
    t.match(lowered.body, { roles: both('VIEWER'), pendingChange: null }, 'a lower role needs nobody')
    const path = `/v1/team/changes/${change.id}/approve`
    t.match(await caio!.call('POST', path, {}, secondFactor), { status: 404 })
    t.match(await team(), { invitations: [] })
    t.match(await memberOf(vera!.personId), { pendingChange: null })
    const token = await tokenOf(service, invited)
    t.match(await openBrowser(service.origin).call('POST', '/v1/invitations/read', { token }), {
      status: 410,
    })
    t.match(await caio!.call('PATCH', `/v1/team/${id}`, { roles: both('FINANCE') }), {
      status: 200,
      body: { pendingChange: { requestedBy: caio!.personId } },
    })
  },
)

story(
  'with one manager and one of finance, finance confirms',
  ['OWNER', 'FINANCE', 'VIEWER'],
  async (t, { members, memberOf }) => {
    const [ana, fred, vera] = members
    const { id } = await memberOf(vera!.personId)
    const { pendingChange } = (await ana!.call('PATCH', `/v1/team/${id}`, { roles: both('OWNER') })).body
    const seen = (await fred!.call('GET', '/v1/team', undefined, production)).body.members
    t.match(seen.at(-1).pendingChange, { id: pendingChange.id, mayApprove: true })
    const path = `/v1/team/changes/${pendingChange.id}/approve`
    t.match(await fred!.call('POST', path, {}, secondFactor), {
      status: 200,
      body: { member: { roles: both('OWNER') } },
    })
  },
)

story(
  'what an operator gives is named as such, in the audit log and by a notice',
  ['OWNER', 'ADMIN'],
  async (t, { service, company, members }) => {
    const [ana] = members
    await service.operate('people invite', { company: company.id, email: 'x@example.com', role: 'finance' })
    const list = async (path: string) => (await ana!.call('GET', path, undefined, production)).body.data
    await until(async () => (await list('/v1/notifications')).length > 0)
    t.match(await list('/v1/notifications'), [
      { kind: 'ROLE_BY_OPERATOR', details: { name: 'x@example.com', role: 'FINANCE' } },
    ])
    t.match(await list('/v1/audit?action=people+invite'), [
      { actor: { kind: 'OPERATOR' }, object: { type: 'invitation' } },
    ])
  },
)

story(
  'what a person has scheduled goes back for approval when the role is gone',
  ['OWNER', 'FINANCE', 'FINANCE'],
  async (t, { members, memberOf, known, clock, advance, service }) => {
    const [ana, fred, gil] = members
    const beneficiaryId = await known()
    const scheduledFor = addDays(dateIn(zone, await clock()), 3)
    const create = async (member: typeof fred, amount: number) =>
      (
        await member!.call(
          'POST',
          '/v1/transfers',
          { kind: 'PIX', beneficiaryId, amount, scheduledFor },
          secondFactor,
        )
      ).body
    const get = async (id: string) => (await ana!.call('GET', `/v1/transfers/${id}`)).body
    const alone = await create(fred, 1_000)
    const late = await create(fred, 2_000)
    const waiting = await create(fred, 600_000)
    const approved = await create(fred, 600_001)
    t.match(await gil!.call('POST', `/v1/transfers/${approved.id}/approve`, {}, secondFactor), {
      status: 200,
    })
    const ofGil = await create(gil, 3_000)
    const { id } = await memberOf(fred!.personId)
    t.match(await ana!.call('PATCH', `/v1/team/${id}`, { roles: both('VIEWER') }), { status: 200 })
    await until(async () => (await get(waiting.id)).status === 'CANCELLED')
    t.match(await get(waiting.id), { cancelReason: 'CREATOR_REMOVED' })
    t.match(await get(alone.id), {
      status: 'PENDING_APPROVAL',
      approvals: { required: 1, given: 0 },
      approvalReasons: ['CREATOR_REMOVED'],
      approvalEndsAt: alone.runsAt,
    })
    t.equal((await get(approved.id)).status, 'SCHEDULED')
    t.match(await gil!.call('POST', `/v1/transfers/${alone.id}/approve`, {}, secondFactor), {
      status: 200,
      body: { status: 'SCHEDULED' },
    })
    // The person is erased as well: what another has approved by then stays.
    await service.operate('people erase', { id: gil!.personId })
    await until(async () => (await get(ofGil.id)).status === 'PENDING_APPROVAL')
    t.equal((await get(alone.id)).status, 'SCHEDULED')
    await advance({ by: 'P4D' })
    await until(async () => (await get(alone.id)).status === 'COMPLETED')
    t.match(await get(late.id), { status: 'CANCELLED', cancelReason: 'APPROVAL_EXPIRED' })
    t.match(await get(ofGil.id), { status: 'CANCELLED', cancelReason: 'APPROVAL_EXPIRED' })
  },
)

story(
  'limits of a single transfer, trust, and an approval without funds',
  ['OWNER', 'ADMIN', 'FINANCE'],
  async (t, { members, known, advance }) => {
    const [ana, bia, fred] = members
    const beneficiaryId = await known()
    const {
      object: _,
      usage: __,
      pending: ___,
      ...limits
    } = (await ana!.call('GET', '/v1/company/limits')).body
    t.match(limits, { pixTransferAmount: null, tedTransferAmount: null })
    const set = (body: object) => ana!.call('PUT', '/v1/company/limits', { ...limits, ...body }, secondFactor)
    t.match(await set({ pixTransferAmount: '1500000' }), {
      status: 200,
      body: { pixTransferAmount: '1500000' },
    })
    const above = { kind: 'PIX', beneficiaryId, amount: 1_500_001 }
    const exceeded = {
      status: 422,
      body: { code: 'LIMIT_EXCEEDED', limit: 'pixTransferAmount', remaining: '1500000', resetsAt: null },
    }
    t.match(await fred!.call('POST', '/v1/transfers/preview', above), exceeded)
    t.match(await fred!.call('POST', '/v1/transfers', above, secondFactor), exceeded)
    t.match(await set({ pixTransferAmount: null }), {
      status: 200,
      body: {
        pixTransferAmount: '1500000',
        pending: [{ field: 'pixTransferAmount', amount: null, value: 'NONE' }],
      },
    })

    const path = `/v1/beneficiaries/${beneficiaryId}`
    const trust = (member: typeof fred) => member!.call('PATCH', path, { trusted: true }, secondFactor)
    t.match((await trust(fred)).body, { trusted: false, trustedFrom: null, trustAskedBy: fred!.personId })
    const given = await trust(bia)
    t.match(given.body, { trusted: true, trustedFrom: /Z$/, trustAskedBy: null })
    t.ok(Date.parse(given.body.trustedFrom) > Date.parse(given.body.updatedAt), 'a day later')

    const send = (amount: number) =>
      fred!.call('POST', '/v1/transfers', { kind: 'PIX', beneficiaryId, amount }, secondFactor)
    await advance({ by: 'PT1H' })
    const { id } = (await send(1_400_000)).body
    for (const amount of [1_400_001, 1_400_002, 1_400_003])
      t.equal(
        (await ana!.call('POST', '/v1/transfers', { kind: 'PIX', beneficiaryId, amount }, secondFactor))
          .status,
        201,
      )
    for (const { id: other } of (
      await ana!.call('GET', `/v1/transfers?status=PENDING_APPROVAL&createdBy=${ana!.personId}`)
    ).body.data)
      t.match(await bia!.call('POST', `/v1/transfers/${other}/approve`, {}, secondFactor), { status: 200 })
    const approve = `/v1/transfers/${id}/approve`
    t.match(
      await bia!.call('POST', approve, {}),
      { status: 422, body: { code: 'INSUFFICIENT_BALANCE' } },
      'before any factor',
    )
    t.match((await fred!.call('GET', `/v1/transfers/${id}`)).body, {
      status: 'PENDING_APPROVAL',
      decisions: [],
    })
  },
)

story(
  'who removes the only other approver sends no more alone than before',
  ['OWNER', 'FINANCE'],
  async (t, { members, memberOf, known }) => {
    const [ana, bia] = members
    const beneficiaryId = await known()
    const { id } = await memberOf(bia!.personId)
    t.equal((await ana!.call('DELETE', `/v1/team/${id}`, undefined, production)).status, 200)
    const body = { kind: 'PIX', beneficiaryId, amount: 600_000 }
    t.match(await ana!.call('POST', '/v1/transfers/preview', body), { body: { approvalsRequired: 1 } })
    t.match(await ana!.call('POST', '/v1/transfers', body, secondFactor), {
      status: 201,
      body: { status: 'PENDING_APPROVAL' },
    })
  },
)
