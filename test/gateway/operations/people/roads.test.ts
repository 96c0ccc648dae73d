import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { holdsMoney } from '../../../../engine/people/give-role.ts'
import type { MemberRole, Roles } from '../../../../engine/people/permission.ts'
import { personByEmail } from '../../../../engine/people/person.ts'
import type { CompanyId } from '../../../../engine/shared/ids.ts'
import type { Asker } from '../../../../gateway/identity/asked.ts'
import { openOperations } from '../../../../gateway/operator/operations.ts'
import { routes } from '../../../../gateway/routes/index.ts'
import { openDesk, refusalOf, tokenOf } from './desk.ts'

/**
 * Every road to a role that holds money (dashboard, section 2.3). The roads are found by trying all operations that routes and the command
 * line have, on everything that a team has: a new one that gives a role fails here until it is known to wait for a second person.
 */

type Desk = ReturnType<typeof openDesk>
type Member = Awaited<ReturnType<Desk['member']>>
const both = (role: MemberRole): Roles => ({ SANDBOX: role, PRODUCTION: role })

const withFactor = (desk: Desk, { by, person }: Member): Partial<Asker> => ({
  ...by,
  secondFactor: `totp ${desk.codeOf(person)}`,
})

const idOf = async (desk: Desk, company: CompanyId, email: string): Promise<string> =>
  (await desk.operate('team show', { company })).members.find((one: any) => one.email === email).id

/** The role in Production of the person with an address; null for none. */
const roleOf = (desk: Desk, email: string): MemberRole | null => {
  const person = personByEmail(desk.directory.people, email)
  const members = [...desk.directory.people.memberships.values()]
  const member = members.find(({ personId, removedAtMs }) => personId === person?.id && removedAtMs === null)
  return member?.roles.PRODUCTION ?? null
}

/** A team in which everything is there that an operation can be about. */
const newTeam = async () => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  const bia = await desk.member(company, 'bia@example.com', both('ADMIN'))
  const vera = await desk.member(company, 'vera@example.com', both('VIEWER'))
  await desk.operate(
    'team change',
    { company, id: await idOf(desk, company, vera.person.email), roles: both('FINANCE') },
    bia.by,
  )
  const invited = await desk.operate(
    'team invite',
    { company, email: 'ivo@example.com', roles: both('FINANCE') },
    bia.by,
  )
  const [changeId] = desk.directory.people.roleChanges.keys()
  return {
    desk,
    company,
    ana,
    token: tokenOf(desk.mails, 'ivo@example.com'),
    ids: [
      await idOf(desk, company, bia.person.email),
      bia.person.id,
      invited.id,
      changeId!,
      vera.person.email,
    ],
  }
}

/** Every role of a member, and every offer of one. */
const standOf = ({ directory: { people } }: Desk): readonly string[] => [
  ...[...people.memberships.values()]
    .filter(({ removedAtMs }) => removedAtMs === null)
    .map(({ id, roles }) => `${id} ${JSON.stringify(roles)}`),
  ...[...people.invitations.values()]
    .filter(({ status }) => status === 'OPEN')
    .map(({ id, tokenHash, isConfirmed }) => `${id} ${tokenHash} ${isConfirmed}`),
  ...people.roleChanges.keys(),
]

/** Those of the operations that give a role or offer one, tried on each thing of a team, by its owner and by an operator. */
const givingRoles = async (names: readonly string[]): Promise<readonly string[]> => {
  const giving = new Set<string>()
  for (const name of names) {
    let team = await newTeam()
    for (const place of team.ids.keys()) {
      for (const isOperator of [false, true]) {
        const { desk, company, ana, ids, token } = team
        const invited = { company, email: 'nova@example.com', name: 'Nova' }
        const whole = {
          ...invited,
          id: ids[place],
          token,
          password: 'cavalo bateria grampo',
          roles: both('FINANCE'),
        }
        // Operations of the command line take no more than they know.
        for (const input of [whole, { ...invited, role: 'finance' }, { company }, { id: ids[place] }]) {
          const before = standOf(desk)
          await refusalOf(desk.operate(name, input, isOperator ? undefined : withFactor(desk, ana)))
          if (standOf(desk).some((one) => !before.includes(one))) giving.add(name)
          if (standOf(desk).join() !== before.join()) team = await newTeam()
        }
      }
    }
  }
  return [...giving]
}

type Road = {
  /** Takes it for a role as a person, with an address that has no role that holds money. */
  readonly take: (
    desk: Desk,
    company: CompanyId,
    ana: Member,
    role: MemberRole,
    others: () => Promise<unknown>,
  ) => Promise<string>
}

const accepting = (desk: Desk, email: string) => desk.join(email)

const roads: Readonly<Record<string, Road | 'THE OPERATOR IS THE SECOND PERSON' | 'BY THE SECOND PERSON'>> = {
  'team invite': {
    take: async (desk, company, { by }, role, others) => {
      await others()
      await desk.operate('team invite', { company, email: 'x@example.com', roles: both(role) }, by)
      await accepting(desk, 'x@example.com')
      return 'x@example.com'
    },
  },
  'team resend': {
    take: async (desk, company, { by }, role, others) => {
      await others()
      const { id } = await desk.operate('team invite', { company, email: 'x@example.com', roles: both(role) })
      await desk.operate('team resend', { company, id }, by)
      await accepting(desk, 'x@example.com')
      return 'x@example.com'
    },
  },
  'invitations accept': {
    // It was sent when no other person was there.
    take: async (desk, company, { by }, role, others) => {
      await desk.operate('team invite', { company, email: 'x@example.com', roles: both(role) }, by)
      await others()
      await accepting(desk, 'x@example.com')
      return 'x@example.com'
    },
  },
  'team change': {
    take: async (desk, company, { by }, role, others) => {
      await others()
      const { person } = await desk.member(company, 'x@example.com', both('VIEWER'))
      await desk.operate(
        'team change',
        { company, id: await idOf(desk, company, person.email), roles: both(role) },
        by,
      )
      return 'x@example.com'
    },
  },
  'team approve': 'BY THE SECOND PERSON',
  'people invite': 'THE OPERATOR IS THE SECOND PERSON',
}

t.test('the operations that give roles are those whose roads are known', async (t) => {
  const names = Object.keys(openDesk().operations)
  const giving = await givingRoles(names)
  t.strictSame([...giving].sort(), Object.keys(roads).sort())
  const known = new Set([...names, ...Object.keys(openOperations({} as never))])
  const asked = routes.flatMap(({ action }) => (action.kind === 'operation' ? [action.operation] : []))
  t.strictSame(
    asked.filter((name) => !known.has(name)),
    [],
    'every route asks for one of the operations that were tried, or for one of those that have no part in roles',
  )
})

t.test(
  'facts about roles are made in two places, which ask the same function whether they wait',
  async (t) => {
    const types = [
      'InvitationCreated',
      'InvitationResent',
      'InvitationAccepted',
      'MembershipChanged',
      'RoleChangeRequested',
      'RoleChangeDecided',
    ]
    const root = join(import.meta.dirname, '../../../../../gateway')
    const makers = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) =>
        types.some((type) => readFileSync(join(root, path), 'utf8').includes(`type: '${type}'`)),
      )
    t.strictSame(makers.toSorted(), ['operations/people/invitations.ts', 'operations/people/role-changes.ts'])
    for (const path of makers) t.match(readFileSync(join(root, path), 'utf8'), 'waitingChange(')
  },
)

type Team = {
  readonly ana: MemberRole
  readonly others: Readonly<Record<string, MemberRole>>
  readonly confirms: string | null
}

const teams: Readonly<Record<string, Team>> = {
  'one owner': { ana: 'OWNER', others: {}, confirms: null },
  'one owner and people without money': {
    ana: 'OWNER',
    others: { dev: 'DEVELOPER', sup: 'SUPPORT', vera: 'VIEWER' },
    confirms: null,
  },
  'two admins': { ana: 'ADMIN', others: { bia: 'ADMIN' }, confirms: 'bia' },
  'an owner and an admin': { ana: 'OWNER', others: { bia: 'ADMIN' }, confirms: 'bia' },
  'an admin and one of finance': { ana: 'ADMIN', others: { fred: 'FINANCE' }, confirms: 'fred' },
  'two admins and one of finance': {
    ana: 'ADMIN',
    others: { bia: 'ADMIN', fred: 'FINANCE' },
    confirms: 'bia',
  },
}

const walk = async (t: Test, road: Road, team: Team, role: MemberRole): Promise<void> => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both(team.ana))
  const members: Record<string, Member> = { ana }
  const email = await road.take(desk, company, ana, role, async () => {
    for (const [name, held] of Object.entries(team.others))
      members[name] = await desk.member(company, `${name}@example.com`, both(held))
  })
  if (team.confirms === null) {
    t.equal(roleOf(desk, email), role, 'with nobody else it counts at once')
    return
  }
  t.notOk(holdsMoney(roleOf(desk, email)), 'it waits')
  const { id, roles } = [...desk.directory.people.roleChanges.values()][0]!
  t.equal(roles.PRODUCTION, role)
  const approve = (member: Member) =>
    refusalOf(desk.operate('team approve', { company, id }, withFactor(desk, member)))
  t.equal(await approve(ana), 'OWN_REQUEST')
  for (const name of Object.keys(team.others))
    if (name !== team.confirms) t.equal(await approve(members[name]!), 'NO_PERMISSION', `not by ${name}`)
  t.notOk(holdsMoney(roleOf(desk, email)))
  t.equal(await approve(members[team.confirms]!), null)
  t.equal(roleOf(desk, email), role, 'confirmed by a second person')
}

for (const [name, road] of Object.entries(roads)) {
  if (typeof road === 'string') continue
  t.test(`${name}: a role that holds money waits for a second person where there is one`, async (t) => {
    for (const [title, team] of Object.entries(teams)) {
      const given: readonly MemberRole[] =
        team.ana === 'OWNER' ? ['OWNER', 'ADMIN', 'FINANCE'] : ['ADMIN', 'FINANCE']
      for (const role of given) await t.test(`${title}: ${role}`, (t) => walk(t, road, team, role))
    }
  })
}

t.test(
  'what an operator gives has the operator for a second person, and counts for what waits already',
  async (t) => {
    const desk = openDesk()
    const company = await desk.newCompany()
    await desk.member(company, 'ana@example.com', both('OWNER'))
    await desk.member(company, 'bia@example.com', both('ADMIN'))
    desk.passMs(1_000)
    await desk.operate('people invite', { company, email: 'x@example.com', role: 'finance' })
    await desk.join('x@example.com')
    t.equal(roleOf(desk, 'x@example.com'), 'FINANCE')
    const person = personByEmail(desk.directory.people, 'x@example.com')!
    const member = [...desk.directory.people.memberships.values()].find(
      ({ personId }) => personId === person.id,
    )
    t.match(member!.grants, [{ isConfirmed: true }])
  },
)

t.test('who removes the only other person who confirms is alone a day later', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const ana = await desk.member(company, 'ana@example.com', both('OWNER'))
  await desk.member(company, 'bia@example.com', both('FINANCE'))
  await desk.member(company, 'vera@example.com', both('VIEWER'))
  const raise = async () => {
    const id = await idOf(desk, company, 'vera@example.com')
    return desk.operate('team change', { company, id, roles: both('FINANCE') }, ana.by)
  }
  await desk.operate('team remove', { company, id: await idOf(desk, company, 'bia@example.com') }, ana.by)
  const { pendingChange } = await raise()
  t.ok(pendingChange, 'it waits for somebody like the person who has left')
  await desk.operate('team reject', { company, id: pendingChange.id }, ana.by)
  desk.passMs(24 * 3_600_000)
  t.match(await raise(), { pendingChange: null, roles: both('FINANCE') })
})
