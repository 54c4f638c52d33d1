package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/clock"
)

func TestVirtualMovesOnlyWhenTold(t *testing.T) {
	v := &clock.Virtual{Epoch: 1_000}
	assert.Zero(t, v.Now())
	require.NoError(t, v.WaitUntil(context.Background(), 5*time.Second))
	assert.Equal(t, 5*time.Second, v.Now())
	require.NoError(t, v.WaitUntil(context.Background(), time.Second))
	assert.Equal(t, 5*time.Second, v.Now(), "time does not go back")
	assert.Equal(t, int64(1_000+7), v.Unix(7))
}

func TestVirtualChargesLanesForThemselves(t *testing.T) {
	v := &clock.Virtual{}
	decode := v.Begin(clock.Decode)
	assert.Equal(t, time.Second, v.End(decode, time.Second))
	assert.Zero(t, v.Now(), "a decode worker runs beside the network")
	network := v.Begin(clock.Network)
	v.End(network, 3*time.Second)
	assert.Equal(t, 3*time.Second, v.Now(), "the network's work is what everybody waits for")
	again := v.Begin(clock.Network)
	v.End(again, time.Second)
	assert.Equal(t, 4*time.Second, v.Now())
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, (&clock.Virtual{}).WaitUntil(ctx, time.Hour), context.Canceled)
	require.ErrorIs(t, clock.StartWall().WaitUntil(ctx, time.Hour), context.Canceled)
}

func TestWallFollowsTheMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := clock.StartWall()
		before := time.Now()
		m := w.Begin(clock.Network)
		require.NoError(t, w.WaitUntil(context.Background(), 2*time.Second))
		assert.Equal(t, 2*time.Second, w.Now())
		assert.Equal(t, 2*time.Second, w.End(m, time.Hour), "measured, not estimated")
		require.NoError(t, w.WaitUntil(context.Background(), 3*time.Second))
		assert.Equal(t, 3*time.Second, w.Now(), "until a time, not for one")
		assert.Equal(t, before.UnixNano(), w.Unix(0))
		assert.Equal(t, time.Now().UnixNano(), w.Unix(w.Now()))
	})
}
