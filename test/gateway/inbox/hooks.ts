import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReceiveNotice } from '../../../engine/inbox/commands.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { ConnectionId, InboxNoticeId } from '../../../engine/shared/ids.ts'
import { hookTokenHash } from '../../../gateway/inbox/hook-address.ts'
import type { HookTarget } from '../../../gateway/inbox/hook-target.ts'
import { type HookOutcome, openNoticeListener } from '../../../gateway/inbox/listener.ts'
import { openListenerIdentity } from '../../../gateway/inbox/listener-identity.ts'
import { account } from '../../engine/world.ts'
import { createAuthority, type TlsIdentity } from '../../rails/certificates.ts'

/** Who issues our own certificate, and the authorities of two banks. */
export const ours = createAuthority('our authority')
export const banks = [createAuthority('bank one'), createAuthority('bank two')] as const

export const tokenOf = (n: number): string => String(n).repeat(43)
export const connectionOf = (n: number): ConnectionId => `con_${String(n).padStart(26, '0')}` as ConnectionId
export const pathOf = (n: number, rest = '/pix'): string => `/hooks/${connectionOf(n)}/${tokenOf(n)}${rest}`

/** A connection whose bank shows the certificate of this name. */
export const aTarget = (
  n: number,
  bank: (typeof banks)[number] | null,
  name = `caller ${n}`,
): HookTarget => ({
  connectionId: connectionOf(n),
  accountId: account,
  tokenHash: hookTokenHash(tokenOf(n)),
  peer: bank && {
    authorities: [bank.cert],
    issuer: `CN=bank ${n === 1 ? 'one' : 'two'}`,
    subject: `CN=${name}`,
  },
})

type ForTest = { readonly teardown: (end: () => unknown) => void }

/** Certificate files that end with the test. */
export const certificateFiles = (t: ForTest, identity: TlsIdentity) => {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const write = (one: TlsIdentity): void => {
    writeFileSync(files.certFile, one.cert)
    writeFileSync(files.keyFile, one.key)
  }
  write(identity)
  return { ...files, write }
}

let made = 0

/** A listener over these connections, whose commands a test takes. */
export const listenerFor = async (
  t: ForTest,
  targets: readonly HookTarget[],
  execute: (command: ReceiveNotice) => Promise<Reply> = async () => accepted,
) => {
  const table = new Map<string, HookTarget>(targets.map((one) => [one.connectionId, one]))
  const files = certificateFiles(t, ours.issue({ commonName: 'hooks', hosts: ['127.0.0.1'] }))
  const outcomes: HookOutcome[] = []
  const faults: unknown[] = []
  const received: ReceiveNotice[] = []
  const listener = await openNoticeListener({
    host: '127.0.0.1',
    port: 0,
    identity: openListenerIdentity(files),
    targets: { find: (id) => table.get(id) ?? null, all: () => table.values() },
    execute: (command) => {
      received.push(command)
      return execute(command)
    },
    newId: () => `ibn_${String(++made).padStart(26, '6')}` as InboxNoticeId,
    realNow: Date.now,
    stopwatch: () => performance.now(),
    onHook: (outcome) => outcomes.push(outcome),
    onFault: (error) => faults.push(error),
  })
  t.teardown(() => listener.close(0))
  return { listener, table, files, outcomes, faults, received, port: listener.port }
}

export const accepted = { accepted: true } as Reply

export type Sent = {
  readonly body?: string | Uint8Array
  readonly identity?: TlsIdentity | null
  readonly headers?: Readonly<Record<string, string>>
  readonly verb?: string
  readonly maxVersion?: 'TLSv1.1' | 'TLSv1.2'
}

/** Sends a request as a bank would; resolves to the status, or to the code of the error where there is none. */
export const send = (
  port: number,
  path: string,
  { body = '{"pix":[]}', identity = null, headers = {}, verb = 'POST', maxVersion }: Sent = {},
): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: verb,
        agent: false,
        ca: ours.cert,
        headers,
        ...(identity && { cert: identity.cert, key: identity.key }),
        ...(maxVersion && { maxVersion, minVersion: 'TLSv1' as const, ciphers: 'DEFAULT@SECLEVEL=0' }),
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode!))
        response.on('error', () => resolve(response.statusCode!))
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(body)
  })
