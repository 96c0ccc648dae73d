import { type ConnectionOptions, connect, type SecureVersion } from 'node:tls'
import t from 'tap'
import { localhostRsaTls, localhostTls } from '../../localhost-tls.ts'
import { type TransportName, transportOf } from './transports.ts'
import { serve } from './wire.ts'

const tls12 = (ciphers: string) => ({ maxVersion: 'TLSv1.2', ciphers }) as const
const old = (version: SecureVersion) =>
  ({ minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' }) as const

/** Suites with the key exchange of static RSA, with CBC and without; and with CBC behind forward secrecy. */
const weak = (kind: Kind): readonly string[] => [
  'AES128-SHA',
  'AES256-SHA',
  'AES128-SHA256',
  'AES256-SHA256',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
  ...['AES128-SHA', 'AES256-SHA', 'AES128-SHA256', 'AES256-SHA384'].map((rest) => `ECDHE-${kind}-${rest}`),
]
const strong = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']

type Kind = 'ECDSA' | 'RSA'

/** The version and the suite of a handshake; null if it fails. */
const agreedOn = (port: number, offered: ConnectionOptions): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...offered })
    socket.once('secureConnect', () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`)
      socket.destroy()
    })
    socket.once('error', () => resolve(null))
  })

export const testTlsSuites = (name: TransportName): void => {
  t.test(`${name}: TLS has forward secrecy and authenticated encryption, or there is none`, async (t) => {
    for (const [kind, tls] of [
      ['ECDSA', localhostTls],
      ['RSA', localhostRsaTls],
    ] as const) {
      const { listener, port } = await serve(transportOf(name), { tls })
      t.match(await agreedOn(port, { minVersion: 'TLSv1.3' }), /^TLSv1.3 TLS_/)
      t.match(
        await agreedOn(port, { maxVersion: 'TLSv1.2' }),
        new RegExp(`^TLSv1.2 ECDHE-${kind}-.*(GCM|POLY)`),
      )
      for (const suite of strong.map((rest) => `ECDHE-${kind}-${rest}`))
        t.equal(await agreedOn(port, tls12(suite)), `TLSv1.2 ${suite}`)
      // Whatever is weak, alone or all together.
      for (const suite of [...weak(kind), weak(kind).join(':')])
        t.equal(await agreedOn(port, tls12(suite)), null, `${kind}: ${suite}`)
      for (const version of ['TLSv1.1', 'TLSv1'] as const)
        t.equal(await agreedOn(port, old(version)), null, version)
      await listener.close(0)
    }
  })
}
