/**
 * The cipher suites of a handshake: for TLS 1.2 only suites with forward secrecy and authenticated encryption (RFC
 * 9325, section 4.2); all suites of TLS 1.3 have both. Static RSA lets a key stolen later decrypt recorded
 * traffic; CBC suites have leaked plaintext by their padding again and again. Native builds never agree on a
 * version below 1.2.
 */
const forwardSecret = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
]

/** The TLS 1.2 suites by their OpenSSL names, for native builds. */
export const tls12Ciphers = forwardSecret.join(':')

/**
 * The options of a Node server, which also needs TLS 1.3's suites by name, and drops that version without them.
 */
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
