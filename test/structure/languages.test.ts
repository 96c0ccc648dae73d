import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'

const folder = resolve(import.meta.dirname, '../../../gateway/dashboard')

/** The names of texts are the same in every language. */
const isKeysOfObject = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && node.expression.getText() === 'Object.keys'

t.test(
  'no file of the dashboard takes a text when it is loaded: the language can change afterwards',
  async (t) => {
    const taken: string[] = []
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      const kind = name.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
      const text = readFileSync(join(folder, name), 'utf8')
      const visit = (node: ts.Node): void => {
        if (ts.isFunctionLike(node) || ts.isTypeNode(node) || isKeysOfObject(node)) return
        if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 't')
          taken.push(`${name}: ${node.getText()}`)
        ts.forEachChild(node, visit)
      }
      visit(ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true, kind))
    }
    t.strictSame(taken, [])
  },
)
