import { connect } from 'node:tls'
import t from 'tap'
import { localhostTls } from '../../localhost-tls.ts'
import { type TransportName, transportOf } from './transports.ts'
import { serve } from './wire.ts'

/** What a client offers, with names of OpenSSL; and what is agreed on, or null where nothing may be. */
const offers: readonly (readonly [offered: object, agreed: RegExp | null])[] = [
  [{ minVersion: 'TLSv1.3' }, /^TLSv1.3 TLS_/],
  [{ maxVersion: 'TLSv1.2' }, /^TLSv1.2 ECDHE-ECDSA-.*(GCM|POLY1305)/],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'].map(
    (ciphers) => [{ maxVersion: 'TLSv1.2', ciphers }, new RegExp(`^TLSv1.2 ${ciphers}$`)] as const,
  ),
  // The key exchange of static RSA, with CBC and without.
  ...['AES128-SHA', 'AES256-SHA', 'AES128-SHA256', 'AES128-GCM-SHA256', 'AES256-GCM-SHA384'].map(
    (ciphers) => [{ maxVersion: 'TLSv1.2', ciphers }, null] as const,
  ),
  // CBC with forward secrecy.
  ...[
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES256-SHA',
    'ECDHE-ECDSA-AES128-SHA256',
    'ECDHE-ECDSA-AES256-SHA384',
  ].map((ciphers) => [{ maxVersion: 'TLSv1.2', ciphers }, null] as const),
  ...['TLSv1.1', 'TLSv1'].map(
    (version) => [{ minVersion: version, maxVersion: version, ciphers: 'ALL@SECLEVEL=0' }, null] as const,
  ),
]

/** The version and the suite of a handshake; null if it fails. */
const agreedOn = (port: number, offered: object): Promise<string | null> =>
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
    const { listener, port } = await serve(transportOf(name), { tls: localhostTls })
    for (const [offered, agreed] of offers) {
      const agreement = await agreedOn(port, offered)
      if (agreed === null) t.equal(agreement, null, JSON.stringify(offered))
      else t.match(agreement, agreed, JSON.stringify(offered))
    }
    await listener.close(0)
  })
}
