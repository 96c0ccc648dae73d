import { sharesPorts } from '../../../gateway/wire/node.ts'
import { testTransport } from './transport-suite.ts'

testTransport('node', await sharesPorts('127.0.0.1'))
