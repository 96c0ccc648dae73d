/**
 * What is agreed on in a handshake: TLS 1.2 with forward secrecy and authenticated encryption only (RFC 9325, section 4.2), and TLS 1.3, whose
 * suites are all of that kind. Static RSA lets a key that is stolen later read what was recorded; CBC suites have leaked
 * plaintext by their padding again and again. Native builds agree on no version below 1.2 by themselves.
 */
const forwardSecret = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
]

/** As OpenSSL names them. Native builds take those of TLS 1.2 alone. */
export const tls12Ciphers = forwardSecret.join(':')

/** The options of a server of Node, which also wants the suites of TLS 1.3 named, and drops that version without them. */
export const tlsPolicy = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    ...forwardSecret,
  ].join(':'),
} as const
