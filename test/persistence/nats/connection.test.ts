import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openSettingFiles } from '../../../persistence/base/setting-files.ts'
import { connectNats, type NatsSettings } from '../../../persistence/nats/connection.ts'
import { tryNatsFiles } from '../../../persistence/nats/files.ts'
import { type Identity, jwtIdentity, nkeyIdentity } from '../../nats/credentials.ts'
import { startProxy } from '../../nats/proxy.ts'
import { startNatsServers } from '../../nats/servers.ts'

const fixtures = join(import.meta.dirname, '../../../../test/fixtures')
const fixture = (name: string): string => join(fixtures, name)

const settings = (url: string, given: Partial<NatsSettings> = {}): NatsSettings => ({
  servers: url.split(','),
  user: null,
  password: null,
  credsFile: null,
  nkeyFile: null,
  tls: null,
  ...given,
})

/** A file that only its owner may read. */
const secretFile = (t: Test, content: string, mode = 0o600): string => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  writeFileSync(file, content)
  chmodSync(file, mode)
  return file
}

const serverFor = async (t: Test, options: Parameters<typeof startNatsServers>[1]): Promise<string> => {
  const servers = await startNatsServers(1, options)
  t.teardown(servers.stop)
  return servers.url
}

/** Whether the server lets the service in; otherwise why it did not the first time. */
const letIn = async (given: NatsSettings): Promise<true | string> => {
  const ending = new AbortController()
  let reason = ''
  try {
    const connection = await connectNats(given, 'test', ending.signal, (error) => {
      reason = error.message
      ending.abort()
    })
    await connection.close()
    return true
  } catch {
    return reason
  }
}

t.test('a user with a password', async (t) => {
  const url = await serverFor(t, {
    config: 'authorization { user: pay, password: "correct horse" }',
    client: { user: 'pay', pass: 'correct horse' },
  })
  t.equal(await letIn(settings(url, { user: 'pay', password: 'correct horse' })), true)
  t.equal(
    await letIn(settings(url, { user: 'pay', password: 'wrong' })),
    'it refuses NATS_USER with NATS_PASSWORD',
  )
  t.equal(await letIn(settings(url)), 'it refuses a service without NATS_USER')
  t.match(
    await letIn(settings(url.replace('nats:', 'tls:'), { user: 'pay', password: 'correct horse' })),
    /server does not support 'tls'/,
    'which has not heard the password',
  )
})

t.test('a service that is refused goes on trying, and is let in as soon as it may', async (t) => {
  const identity = nkeyIdentity()
  const { config, authenticator } = identity
  const url = await serverFor(t, { config, client: { authenticator } })
  const nkeyFile = secretFile(t, nkeyIdentity().file)
  const connection = await connectNats(
    settings(url, { nkeyFile }),
    'test',
    new AbortController().signal,
    () => writeFileSync(nkeyFile, identity.file),
  )
  t.notOk(connection.isClosed())
  await connection.close()
})

const byFile: readonly [
  name: string,
  setting: 'nkeyFile' | 'credsFile',
  make: () => Identity,
  refusal: string,
][] = [
  ['the seed of an nkey', 'nkeyFile', nkeyIdentity, 'it refuses the nkey of NATS_NKEY_FILE'],
  ['a credentials file', 'credsFile', jwtIdentity, 'it refuses the credentials of NATS_CREDS_FILE'],
]
for (const [name, setting, make, refusal] of byFile) {
  t.test(name, async (t) => {
    const { config, file, authenticator } = make()
    const url = await serverFor(t, { config, client: { authenticator } })
    t.equal(await letIn(settings(url, { [setting]: secretFile(t, file) })), true)
    t.equal(await letIn(settings(url, { [setting]: secretFile(t, make().file) })), refusal)
  })
}

const mutual = {
  caFile: fixture('nats-authority.pem'),
  certFile: fixture('nats-client.pem'),
  keyFile: fixture('nats-client-key.pem'),
}

t.test('TLS, with a certificate on both sides', async (t) => {
  const config = `tls { cert_file: "${fixture('nats-server.pem')}", key_file: "${fixture('nats-server-key.pem')}",
    ca_file: "${fixture('nats-authority.pem')}", verify: true }`
  const url = await serverFor(t, { config, client: { tls: mutual } })
  t.equal(await letIn(settings(url, { tls: mutual })), true)
  t.equal(await letIn(settings(url.replace('nats:', 'tls:'), { tls: mutual })), true)
  t.equal(await letIn(settings(url.replace('127.0.0.1', 'localhost'), { tls: mutual })), true)
  t.match(
    await letIn(settings(url, { tls: { ...mutual, certFile: null, keyFile: null } })),
    /wants the certificate of a NATS_CERT_FILE/,
  )
  const unverified = /unable to verify the first certificate/
  t.match(
    await letIn(settings(url, { tls: { ...mutual, caFile: fixture('receiver-authority.pem') } })),
    unverified,
  )
  t.match(await letIn(settings(url)), unverified, 'also where no file says that TLS is wanted')
})

t.test('a certificate for another name is not believed', async (t) => {
  const config = `tls { cert_file: "${fixture('receiver-other-name.pem')}", key_file: "${fixture('receiver-key.pem')}" }`
  const tls = { caFile: fixture('receiver-authority.pem'), certFile: null, keyFile: null }
  const client = { tls: { caFile: tls.caFile, checkServerIdentity: () => undefined } }
  const url = await serverFor(t, { config, client })
  t.match(await letIn(settings(url, { tls })), /does not match certificate's altnames/)
})

t.test('files are looked at before the start; what is in them is not repeated', async (t) => {
  const problems = (given: Partial<NatsSettings>) => {
    const files = openSettingFiles()
    tryNatsFiles(files, settings('nats://localhost', given))
    return files.problems
  }
  const keyFile = secretFile(t, readFileSync(fixture('nats-client-key.pem'), 'utf8'))
  const tls = { ...mutual, keyFile }
  t.strictSame(problems({ nkeyFile: secretFile(t, nkeyIdentity().file), tls }), [])
  t.strictSame(problems({ credsFile: secretFile(t, jwtIdentity().file) }), [])
  const junk = secretFile(t, 'junk')
  t.strictSame(problems({ nkeyFile: junk, credsFile: junk, tls: { ...tls, caFile: junk } }), [
    'NATS_CREDS_FILE does not hold a JWT and a seed',
    'NATS_NKEY_FILE does not hold the seed of an nkey',
    'NATS_CA_FILE does not hold certificates in PEM',
  ])
  t.strictSame(problems({ tls: { ...tls, certFile: fixture('nats-server.pem') } }), [
    'NATS_CERT_FILE does not hold a certificate in PEM for the key of NATS_KEY_FILE',
  ])
  t.match(problems({ nkeyFile: '/nowhere' }), [/^NATS_NKEY_FILE: ENOENT: .*'\/nowhere'/])
  const open = secretFile(t, readFileSync(keyFile, 'utf8'), 0o644)
  t.match(problems({ tls: { ...tls, keyFile: open } }), [
    /^NATS_KEY_FILE: .* can be read by every user of this machine: chmod o-rwx it$/,
  ])
})

/** A connection through a proxy, and the events of its dials. */
const connectionThrough = async (t: Test) => {
  const proxy = await startProxy(await serverFor(t, {}))
  t.teardown(proxy.stop)
  const connection = await connectNats(settings(proxy.url), 'test')
  t.teardown(() => connection.close())
  await connection.flush()
  const reconnected = new Promise<void>((resolve) => {
    void (async () => {
      for await (const { type } of connection.status()) if (type === 'reconnect') resolve()
    })()
  })
  return { proxy, connection, reconnected }
}

t.test('a connection that takes nothing more is left at once', async (t) => {
  const { proxy, connection, reconnected } = await connectionThrough(t)
  proxy.stall()
  for (let count = 0; count < 300; count++) connection.publish('a', new Uint8Array(100_000))
  await connection.reconnect()
  await reconnected
  await connection.flush()
})

t.test('a connection that is cut comes back although the clock was set back', async (t) => {
  const { proxy, connection, reconnected } = await connectionThrough(t)
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() - 3_600_000
  proxy.cut()
  await reconnected
  await connection.flush()
})
