import { createHash } from 'node:crypto'
import t from 'tap'
import { sha256 } from '../../../engine/shared/sha256.ts'
import { seeded } from '../world.ts'

const byNode = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

t.test('the vectors of FIPS 180-4', async (t) => {
  t.equal(sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  t.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

t.test(
  'texts of every length around the edges of blocks, and of any characters, hash as everywhere else',
  async (t) => {
    const entropy = seeded(3)
    const wrong: string[] = []
    for (let length = 0; length < 300; length++) {
      const text = Array.from({ length }, () => String.fromCodePoint(entropy() % 0xd800)).join('')
      for (const one of [text, 'a'.repeat(length)]) if (sha256(one) !== byNode(one)) wrong.push(one)
    }
    t.strictSame(wrong, [])
  },
)
