import { X509Certificate } from 'node:crypto'
import t from 'tap'
import { createAuthority, fingerprintOf } from './certificates.ts'

t.test('a certificate is of its authority and of no other', async (t) => {
  const authority = createAuthority('Test CA')
  const other = createAuthority('Test CA')
  const { cert, key } = authority.issue({ commonName: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const read = new X509Certificate(cert)
  t.ok(read.verify(new X509Certificate(authority.cert).publicKey))
  t.notOk(read.verify(new X509Certificate(other.cert).publicKey))
  t.ok(new X509Certificate(authority.cert).ca)
  t.notOk(read.ca)
  t.equal(read.subject, 'CN=localhost')
  t.equal(read.issuer, 'CN=Test CA')
  t.equal(read.checkHost('localhost'), 'localhost')
  t.equal(read.checkIP('127.0.0.1'), '127.0.0.1')
  t.equal(read.checkHost('example.com'), undefined)
  t.match(key, /^-----BEGIN PRIVATE KEY-----/)
  t.equal(fingerprintOf(cert), read.fingerprint256)
})

t.test('a certificate lasts as long as was asked', async (t) => {
  const notBeforeMs = Date.UTC(2026, 10, 1)
  const notAfterMs = Date.UTC(2026, 10, 30, 12, 30, 15)
  const { cert } = createAuthority('Test CA').issue({ commonName: 'a', notBeforeMs, notAfterMs })
  const read = new X509Certificate(cert)
  t.equal(Date.parse(read.validFrom), notBeforeMs)
  t.equal(Date.parse(read.validTo), notAfterMs)
  const late = createAuthority('Test CA').issue({ commonName: 'a', notAfterMs: Date.UTC(2060, 0) })
  t.equal(Date.parse(new X509Certificate(late.cert).validTo), Date.UTC(2060, 0))
})
