// Written by `npm run gen`.
import type { Rule } from '../../lint/rule.ts';
import implicitUseReentrantPage from '../ac1-call/implicit-use-reentrant.md';
import { rule as implicitUseReentrant } from '../ac1-call/implicit-use-reentrant.ts';
import reentrantKeywordArgumentsPage from '../ac1-call/reentrant-keyword-arguments.md';
import { rule as reentrantKeywordArguments } from '../ac1-call/reentrant-keyword-arguments.ts';
import reentrantSelectivePage from '../ac2-reentrant/reentrant-selective.md';
import { rule as reentrantSelective } from '../ac2-reentrant/reentrant-selective.ts';
import lateBindingClosurePage from '../ac3-recompute/late-binding-closure.md';
import { rule as lateBindingClosure } from '../ac3-recompute/late-binding-closure.ts';
import hfEnableKeywordPage from '../ac6-frameworks/hf-enable-keyword.md';
import { rule as hfEnableKeyword } from '../ac6-frameworks/hf-enable-keyword.ts';

export const allRules: readonly Rule[] = [implicitUseReentrant, reentrantKeywordArguments, reentrantSelective, lateBindingClosure, hfEnableKeyword];

/** Page of each rule, by its code. */
export const rulePages: ReadonlyMap<string, string> = new Map([
  [implicitUseReentrant.code, implicitUseReentrantPage],
  [reentrantKeywordArguments.code, reentrantKeywordArgumentsPage],
  [reentrantSelective.code, reentrantSelectivePage],
  [lateBindingClosure.code, lateBindingClosurePage],
  [hfEnableKeyword.code, hfEnableKeywordPage],
]);
