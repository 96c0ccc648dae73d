import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { openFactLog } from '../../persistence/journal/fact-log.ts'
import { problemsIn } from './kill-and-restart.ts'
import { enrol, openBrowser } from './person.ts'
import { newDataDir, newMerchant, oneWorker, startService, until } from './service.ts'

const email = 'maria.apagada@example.com'
const name = 'Maria Apagada'
const userAgent = 'Navegador-da-Maria/7.0'

/** The files below a directory that hold a text as it is. */
const holding = (path: string, text: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => join(path, file))
    .filter((file) => statSync(file).isFile() && readFileSync(file).includes(text))

/** Runs `people erase` with an answer to its question; resolves to its exit code and what it said. */
const erasing = async (dataDir: string, answer: string) => {
  const main = resolve(import.meta.dirname, '../../gateway/program/main.js')
  const child = spawn(process.execPath, [main, 'people', 'erase', email], {
    env: { ...process.env, DATA_DIR: dataDir },
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk))
  child.stdin.end(answer)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, said }
}

/** The hash of an entry, as anybody would compute it who has read the documentation. */
const hashOf = ({ hash: _, ...entry }: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(entry)))
    .digest('hex')

const sorted = (value: any): any => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((member) => [member, sorted(value[member])]),
  )
}

t.test('a person who is erased is left as an id in the audit log, which is still whole', async (t) => {
  // States are read from the archive, which nothing is rewritten in.
  const env = { ...oneWorker, HOT_STATES: '1' }
  const service = await startService(t, { env })
  const { dataDir } = service
  const { company } = await newMerchant(service)
  const invited = async (to: string, called: string) => {
    const { link } = await service.operate('people invite', { company: company.id, email: to, role: 'owner' })
    return enrol(service, link, to, called)
  }
  const maria = await invited(email, name)
  t.match(await erasing(dataDir, 'y\n'), { code: 1, said: /last owner of .+: make another owner first/ })
  const bia = (await invited('bia@example.com', 'Beatriz')).browser.at(company.id, 'PRODUCTION')

  const browser = openBrowser(service.origin, userAgent)
  await browser.call('POST', '/v1/session', { email, password: maria.password })
  const session = await browser.call('POST', '/v1/session/second-factor', { totp: maria.code() })
  const personId = session.body.person.id as string
  await browser.call('GET', '/v1/session')
  const inSandbox = browser.at(company.id)
  const inProduction = browser.at(company.id, 'PRODUCTION')
  const invitation = {
    email: 'davi@example.com',
    name: 'Davi',
    roles: { SANDBOX: 'VIEWER', PRODUCTION: null },
  }
  t.equal((await inProduction.call('POST', '/v1/team/invitations', invitation)).status, 201)
  const ticket = await inProduction.call('POST', '/v1/support/tickets', {
    subject: 'Onde está',
    category: 'OTHER',
    text: 'Bom dia',
  })
  t.equal(ticket.status, 201)
  const { id: objectId } = (
    await inSandbox.call('POST', '/v1/customers', { name: 'Um Pagador', document: '12345678909' })
  ).body
  const notes = async (of: typeof bia) => (await of.call('GET', `/v1/notes?objectId=${objectId}`)).body.data
  t.match(await inSandbox.call('POST', '/v1/notes', { objectId, text: 'Paga no dia 10' }), {
    status: 201,
    body: { name },
  })

  const entries = async (query = '', of = bia): Promise<any[]> =>
    (await of.call('GET', `/v1/audit?pageSize=200${query}`)).body.data
  await until(async () => (await entries('&action=team%20invite')).length > 0)
  await until(async () => (await entries(`&action=session%20factor&actor=${personId}`)).length > 0)
  const [before] = await entries('&action=createTicket')
  t.match(before, { actor: { kind: 'PERSON', id: personId, name }, ip: '127.0.0.1', userAgent })
  t.match((await entries('&action=team%20invite'))[0], {
    actor: { id: personId, name },
    changes: [{ field: 'roles' }, { field: 'email', after: 'davi@example.com' }],
  })
  t.match((await bia.call('GET', `/v1/support/tickets/${ticket.body.id}`)).body.messages, [{ name }])
  t.match((await inProduction.call('GET', '/v1/notifications')).body.data, [
    { kind: 'NEW_SIGN_IN', details: { ip: '127.0.0.1', userAgent } },
  ])
  t.match((await browser.call('GET', '/v1/me/sessions')).body.data[0], { ip: '127.0.0.1', userAgent })

  for (const text of [email, name, userAgent, 'davi@example.com'])
    t.strictSame(holding(dataDir, text), [], `${text} is in no file`)
  t.not(holding(dataDir, 'Um Pagador').length, 0, 'what is of no person of the dashboard can be found')
  const early = join(newDataDir(t), 'early')
  await service.command('backup', early)
  t.ok((await service.command('archive', 'run', '--older-than-days', '0')).packed > 10)

  t.match(await erasing(dataDir, 'n\n'), { code: 1, said: /Erase .+ for good\?.+nothing was done/s })
  t.match(await erasing(dataDir, ''), { code: 1 }, 'no answer is none')
  t.equal((await browser.call('GET', '/v1/session')).status, 200)
  t.match(await erasing(dataDir, 'y\n'), { code: 0 })
  t.equal((await browser.call('GET', '/v1/session')).status, 401)
  t.notMatch(JSON.stringify((await bia.call('GET', '/v1/team')).body), /Apagada|apagada/)

  const isErased = async (reader: typeof bia) => {
    const erasure = await entries('&action=people%20erase', reader)
    t.match(erasure, [
      { actor: { kind: 'OPERATOR' }, object: { type: 'person', id: personId }, result: 'DONE' },
    ])
    const all = await entries('', reader)
    t.notMatch(JSON.stringify(all), /Apagada|apagada|Navegador/)
    t.match(
      all.find(({ id }) => id === before.id),
      { actor: { kind: 'PERSON', id: personId, name: null }, ip: null, userAgent: null, hash: before.hash },
    )
    t.match(await notes(reader.at(company.id)), [{ personId, name: null, text: 'Paga no dia 10' }])
    t.ok(
      all.some(({ actor }) => actor.name === 'Beatriz'),
      'and nobody else',
    )
    t.match((await reader.call('GET', '/v1/audit/verify')).body, { valid: true, brokenAt: null })
    for (const entry of await entries('&sealed=true', reader)) t.equal(hashOf(entry), entry.hash)
    const csv = (await reader.call('GET', '/v1/audit/export')).body
    t.match(csv, `PERSON,${personId},,`)
    t.notMatch(csv, /Apagada|Navegador/)
    t.match((await reader.call('GET', `/v1/support/tickets/${ticket.body.id}`)).body.messages, [
      { name: null, text: 'Bom dia' },
    ])
  }
  await until(async () => (await entries('&action=people%20erase')).length > 0)
  await isErased(bia)

  const late = join(newDataDir(t), 'late')
  t.match(await service.command('backup', late), { verified: true, problems: [] })
  await service.kill('SIGTERM')
  const again = await startService(t, { dataDir, env })
  await isErased(bia.via(again.origin))
  await again.kill('SIGTERM')
  t.strictSame(await problemsIn(dataDir), [])

  const keysIn = async (path: string): Promise<readonly (string | null)[]> => {
    const log = openFactLog<DirectoryFact>(join(path, 'directory'))
    const facts = log.follow(async () => undefined)
    await log.close()
    return facts.flatMap((fact) =>
      fact.type === 'InvitationAccepted' && fact.person?.id === personId ? [fact.person.sealedKey] : [],
    )
  }
  const [sealedKey] = await keysIn(early)
  t.ok(sealedKey, 'an earlier backup has the key')
  for (const path of [dataDir, late]) {
    t.strictSame(await keysIn(path), [null])
    for (const text of [email, name, userAgent, sealedKey!])
      t.strictSame(holding(path, text), [], `${text} is in no file`)
  }
})
