import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'

/** A password is compared in one place: whoever compares by itself opens a door without a throttle (dashboard, section 1.4). */
t.test('nothing but the check of passwords compares one', (t) => {
  const root = resolve(import.meta.dirname, '../../..')
  const files = readdirSync(join(root, 'gateway'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name))
    .filter((name) => {
      const text = readFileSync(join(root, 'gateway', name), 'utf8')
      return /\.isRight\b|\bverify: \(stored|argon2Verify|\{[^}]*\bisRight\b[^}]*\} = (?:options\.)?hasher/.test(
        text,
      )
    })
  t.strictSame(files.toSorted(), ['identity/password-hash.ts', 'operations/people/password-check.ts'])
  t.end()
})
