import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import type { AuditEntry } from '../../../../engine/audit/audit-entry.ts'
import type { DirectoryFact } from '../../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import { personByEmail } from '../../../../engine/people/person.ts'
import type { PersonId } from '../../../../engine/shared/ids.ts'
import {
  type DataSubject,
  newPersonKey,
  openPersonalTexts,
  sealedKeyIn,
} from '../../../../gateway/identity/personal-texts.ts'
import { giveKeys } from '../../../../gateway/operations/people/give-keys.ts'
import { openEntry } from '../../../../gateway/resources/account/audit.ts'
import { sealedDirectory } from '../../../../gateway/runtime/sealed-directory.ts'
import { openFactLog } from '../../../../persistence/journal/fact-log.ts'
import { aMember } from '../../../engine/companies/entries.ts'
import { openDesk, refusalOf } from './desk.ts'

const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
const viewer = { SANDBOX: 'VIEWER', PRODUCTION: 'VIEWER' } as const
const ana = 'per_A' as PersonId
const bia = 'per_B' as PersonId

t.test('a text is read with the key of its person, and by no other', (t) => {
  const masterKey = randomBytes(32)
  const keys = new Map<DataSubject, string | null>([
    [ana, newPersonKey(ana, masterKey, randomBytes)],
    [bia, newPersonKey(bia, masterKey, randomBytes)],
  ])
  const { seal, open } = openPersonalTexts(masterKey, (id) => keys.get(id))
  const sealed = seal(ana, 'Ana Souza')!
  t.match(sealed, /^sealed:per_A:v2\./)
  t.notMatch(sealed, /Ana/)
  t.equal(open(sealed), 'Ana Souza')
  t.equal(seal(ana, seal(bia, 'x')!)!.includes('per_B'), false)

  const moved = sealed.replace('per_A', 'per_B')
  t.equal(open(moved), moved, 'a sealed text cannot be given to somebody else')
  const key = keys.get(ana)!
  keys.set(bia, key)
  t.equal(open(moved), moved, 'nor a key')
  t.equal(open('sealed:per_A:v2.chosen'), 'sealed:per_A:v2.chosen', 'a name can look like one')

  keys.delete(ana)
  t.equal(open(sealed), null)
  t.equal(seal(ana, 'later'), null, 'and nothing more is stored')
  keys.set(ana, null)
  t.equal(seal(ana, 'plain'), 'plain', 'as what was stored before there were keys')
  t.equal(open('plain'), 'plain')
  t.end()
})

t.test(
  'the log of the directory has everything about people sealed, and followers get it open',
  async (t) => {
    const path = join(t.testdir(), 'directory')
    const masterKey = randomBytes(32)
    const stored: DirectoryFact[] = []
    const openLog = () => {
      const log = openFactLog<DirectoryFact>(path)
      const directory = newDirectory()
      const sealed = sealedDirectory(log, masterKey)
      const known = sealed.follow(async (fact) => void evolveDirectory(directory, fact))
      for (const fact of known) evolveDirectory(directory, fact)
      return { ...log, ...sealed, directory, known }
    }
    const raw = async (): Promise<string> => {
      const log = openFactLog<DirectoryFact>(path)
      stored.splice(0, stored.length, ...log.follow(async () => undefined))
      await log.close()
      return JSON.stringify(stored)
    }
    const withKeys = (facts: readonly DirectoryFact[]): readonly DirectoryFact[] =>
      facts.map((fact) => {
        if (fact.type === 'InvitationCreated') {
          const { invitation } = fact
          const sealedKey = newPersonKey(invitation.id, masterKey, randomBytes)
          return { ...fact, invitation: { ...invitation, sealedKey } }
        }
        if (fact.type !== 'InvitationAccepted') return fact
        const person = fact.person!
        return { ...fact, person: { ...person, sealedKey: newPersonKey(person.id, masterKey, randomBytes) } }
      })
    const first = openLog()
    for (const fact of withKeys(aMember('cmp_1' as never, ana, 'mbr_a' as never, viewer)))
      await first.append(() => fact)
    // As an earlier version has stored it.
    for (const fact of aMember('cmp_1' as never, bia, 'mbr_b' as never, viewer))
      await first.append(() => fact)
    const passkey = { id: 'psk_1', name: 'Telefone da Ana', credentialId: 'credential', transports: ['usb'] }
    await first.append(() => ({
      type: 'PersonChanged',
      id: ana,
      changes: {
        email: 'nova@example.com',
        passwordHash: '$argon2id$',
        passkeys: [passkey as never],
        theme: 'DARK',
      },
      atMs: 1,
    }))
    t.match(first.directory.people.persons.get(ana), {
      email: 'nova@example.com',
      passkeys: [passkey],
      theme: 'DARK',
    })
    await first.close()
    const text = await raw()
    for (const secret of ['per_a@example.com', 'nova@', 'Telefone', 'credential"', '$argon2id$'])
      t.notOk(text.includes(secret), secret)
    t.ok(text.includes('per_b@example.com'), 'what was stored without a key is as it was')

    const second = openLog()
    t.strictSame(second.directory.people.persons.get(ana), first.directory.people.persons.get(ana))
    t.equal(personByEmail(second.directory.people, 'nova@example.com')?.id, ana)
    await giveKeys({
      directory: second.directory,
      commit: second.append,
      masterKey,
      randomBytes,
      realNow: () => 2,
    })
    t.ok(sealedKeyIn(second.directory)(bia), 'who has no key gets one')
    await second.append(() => ({ type: 'PersonChanged', id: bia, changes: { name: 'Beatriz' }, atMs: 3 }))
    await second.close()
    t.notMatch(await raw(), /Beatriz/)

    const third = openLog()
    t.equal(third.directory.people.persons.get(bia)!.name, 'Beatriz')
    const keyOfAna = sealedKeyIn(third.directory)(ana)!
    await third.append(() => ({
      type: 'PersonErased',
      id: ana,
      invitationIds: [`ivt_${ana}` as never],
      companyIds: ['cmp_1' as never],
      atMs: 4,
    }))
    t.notOk(third.directory.people.persons.has(ana))
    await third.close()
    t.ok((await raw()).includes(keyOfAna), 'the log has the key until it is written anew')

    const fourth = openLog()
    t.strictSame([...fourth.directory.people.persons.keys()], [bia], 'of which nobody hears any more')
    t.notOk(JSON.stringify(fourth.known).includes('nova@example.com'))
    t.notOk(JSON.stringify(fourth.known).includes(keyOfAna))
    await fourth.forgetErased()
    await fourth.append(() => ({ type: 'PersonChanged', id: bia, changes: { theme: 'LIGHT' }, atMs: 5 }))
    const facts = fourth.known.length + 1
    await fourth.close()
    t.notOk((await raw()).includes(keyOfAna))
    t.equal(stored.length, facts, 'every fact keeps its number')
    const fifth = openLog()
    t.match(fifth.directory.people.persons.get(bia), { name: 'Beatriz', theme: 'LIGHT' })
    t.equal(fifth.directory.people.byEmail.size, 1)
    await fifth.close()
  },
)

t.test('erasing a person ends all that the person had, and leaves ids', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const other = await desk.newCompany('Loja Dois')
  const { by, person } = await desk.member(company, 'ana@example.com', owner)
  const erase = (id: string) => desk.operate('people erase', { id })
  t.equal(await refusalOf(erase('ana@example.com')), 'LAST_OWNER')
  t.equal(await refusalOf(erase('nobody@example.com')), 'NOT_FOUND')
  t.ok(desk.directory.people.persons.has(person.id))

  await desk.member(company, 'bia@example.com', owner)
  await desk.operate('team invite', { company: other, email: 'ana@example.com', roles: viewer })
  await desk.operate('me update', { email: 'nova@example.com' }, desk.withCode({ by, person }))
  await refusalOf(desk.operate('session sign-in', { email: 'ana@example.com', password: 'x' }, desk.stranger))
  t.equal(desk.sessions.attempts.size, 1)
  t.notMatch(
    JSON.stringify([...desk.sessions.byId.values(), ...desk.sessions.links.values()]),
    /192\.0|@example/,
  )

  t.match(await erase('ANA@example.com'), {
    personId: person.id,
    invitations: 2,
    companies: [company, other],
  })
  const { people } = desk.directory
  t.notOk(people.persons.has(person.id))
  t.equal(personByEmail(people, 'ana@example.com'), null)
  t.strictSame(
    [...people.invitations.values()].map(({ email }) => email),
    ['bia@example.com'],
  )
  t.notOk([...desk.sessions.byId.values()].some(({ personId }) => personId === person.id))
  t.equal(desk.sessions.links.size, 0)
  t.equal(desk.sessions.attempts.size, 0)
  t.equal(await refusalOf(desk.operate('me show', {}, by)), 'UNAUTHORIZED')
  t.equal(await refusalOf(erase(person.id)), 'NOT_FOUND')
  const { members } = await desk.operate('team show', { company })
  t.strictSame(
    members.map(({ email }: { email: string }) => email),
    ['bia@example.com'],
  )
  const again = await desk.member(company, 'ana@example.com', viewer)
  t.not(again.person.id, person.id, 'who comes back is somebody new')
})

t.test('who was only invited is erased as well, and a change of roles that waited', async (t) => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const { by } = await desk.member(company, 'ana@example.com', owner)
  await desk.member(company, 'bia@example.com', owner)
  const carla = await desk.member(company, 'carla@example.com', viewer)
  await desk.operate('team invite', { company, email: 'davi@example.com', roles: viewer }, by)
  t.match(await desk.operate('people erase', { id: 'davi@example.com' }), {
    personId: null,
    invitations: 1,
    companies: [company],
  })
  const { id } = (await desk.operate('team show', { company })).members.find(
    ({ email }: { email: string }) => email === 'carla@example.com',
  )
  await desk.operate('team change', { company, id, roles: { SANDBOX: 'VIEWER', PRODUCTION: 'ADMIN' } }, by)
  t.equal(desk.directory.people.roleChanges.size, 1)
  await desk.operate('people erase', { id: carla.person.id })
  t.equal(desk.directory.people.roleChanges.size, 0)
})

t.test('an entry of the audit log from before there were keys is shown as it is', (t) => {
  const entry: AuditEntry = {
    id: 'aud_1' as never,
    accountId: 'cmp_1/PRODUCTION' as never,
    createdAtMs: 0,
    actor: { kind: 'PERSON', id: ana, name: 'Ana Souza' },
    sessionId: 'ses_1',
    keyId: null,
    ip: '192.0.2.1',
    userAgent: 'Firefox',
    action: 'team invite',
    requestId: null,
    object: { type: 'invitation', id: 'ivt_1' },
    changes: [{ field: 'email', before: null, after: 'davi@example.com' }],
    result: 'DONE',
    code: null,
    number: 1,
    previousHash: null,
    hash: 'hash',
  }
  const masterKey = randomBytes(32)
  const keys = new Map<DataSubject, string>([[ana, newPersonKey(ana, masterKey, randomBytes)]])
  const { seal, open } = openPersonalTexts(masterKey, (id) => keys.get(id))
  t.strictSame(openEntry(entry, open), entry)
  const sealed = { ...entry, ip: seal(ana, '192.0.2.1') }
  t.strictSame(openEntry(sealed, open), entry)
  keys.delete(ana)
  t.strictSame(
    openEntry(sealed, open),
    { ...entry, ip: null },
    'as after the person was erased, who had no key then',
  )
  const byKey = { ...sealed, actor: { kind: 'KEY', id: 'key_1', name: 'Servidor' } } as const
  t.strictSame(openEntry(byKey, open), byKey, 'what keys call themselves is not opened')
  t.end()
})
