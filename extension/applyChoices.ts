import * as vscode from 'vscode';
import type { ChosenStrategy } from '../server/core/apply/chosen.ts';

interface Choice extends vscode.QuickPickItem {
  readonly strategy: ChosenStrategy | 'segments';
}

/** Asks which strategy to put into code; `layers` bounds the length of a segment where it is known. */
export async function chooseStrategy(layers: number | undefined): Promise<ChosenStrategy | undefined> {
  const t = vscode.l10n.t;
  const choices: Choice[] = [
    {
      label: t('Checkpoint every layer'),
      description: t('least memory'),
      detail: t('Keeps the input of each layer; the layer runs again in the backward pass.'),
      strategy: { name: 'full', segment: 1 },
    },
    {
      label: t('Checkpoint in segments…'),
      detail: t('Keeps the input of every few layers, which then run again together.'),
      strategy: 'segments',
    },
    {
      label: t('Checkpoint selectively'),
      description: t('least work'),
      detail: t('Keeps results of matrix products and attention as well; only the rest runs again.'),
      strategy: { name: 'policy', segment: 1 },
    },
    {
      label: t('Remove checkpointing'),
      detail: t('Takes out what switches it on.'),
      strategy: { name: 'none', segment: 1 },
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: t('Put a Strategy into the Code'),
    placeHolder: t('A preview shows every change before it is made'),
  });
  return chosen?.strategy === 'segments' ? segments(layers) : chosen?.strategy;
}

async function segments(layers: number | undefined): Promise<ChosenStrategy | undefined> {
  const t = vscode.l10n.t;
  const most = layers ?? 1000;
  const typed = await vscode.window.showInputBox({
    title: t('Layers in a segment'),
    value: '2',
    validateInput: (text) => {
      const length = Number(text);
      return Number.isInteger(length) && length >= 1 && length <= most
        ? undefined
        : t('A whole number from 1 to {0}', most);
    },
  });
  return typed === undefined ? undefined : { name: 'full', segment: Number(typed) };
}
